class Books {
    fun appended(db: Database, newest: Boolean) {
        var sql = "SELECT id FROM book"
        sql += " WHERE author = ?"
        if (newest) {
            sql += " AND year > 2000"
        }
        db.rawQuery(sql, null)
    }

    fun built(db: Database, newest: Boolean) {
        val sql = StringBuilder("SELECT id FROM book")
        sql.append(" WHERE author = ?")
        if (newest) sql.append(" AND year > 2000")
        db.rawQuery(sql.toString(), null)
    }

    fun listed(db: Database, author: String?) {
        val conditions = mutableListOf("year > 2000")
        if (author != null) {
            conditions.add("author = ?")
        }
        conditions += "pages > 10"
        db.rawQuery("SELECT id FROM book WHERE ${conditions.joinToString(" AND ")}", null)
    }

    fun chosen(db: Database, order: Int) {
        var sql = "SELECT id FROM book"
        when (order) {
            1 -> sql += " ORDER BY year"
            else -> sql += " ORDER BY id"
        }
        db.rawQuery(sql, null)
    }
}

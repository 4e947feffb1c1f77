// Texts built piece by piece.
func appended(db: Database, newest: Bool) {
    var sql = "SELECT id FROM book"
    sql += " WHERE author = ?"
    if newest {
        sql.append(" AND year > 2000")
    }
    db.execute(sql)
}

func listed(db: Database, author: String?) {
    var conditions = ["1 = 1"]
    if author != nil {
        conditions.append("author = ?")
    }
    db.execute("SELECT id FROM book WHERE " + conditions.joined(separator: " AND "))
}

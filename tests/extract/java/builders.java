class Books {
    void appended(Connection db, boolean newest) {
        String sql = "SELECT id FROM book";
        sql += " WHERE author = ?";
        if (newest) {
            sql += " AND year > 2000";
        }
        db.prepareStatement(sql);
    }

    void built(Connection db, boolean newest) {
        StringBuilder sql = new StringBuilder();
        sql.append("SELECT id FROM book").append(" WHERE author = ?");
        if (newest) sql.append(" AND year > 2000");
        db.prepareStatement(sql.toString());
    }

    void listed(Connection db, String author) {
        List<String> conditions = new ArrayList<>();
        conditions.add("year > 2000");
        if (author != null) {
            conditions.add("author = ?");
        }
        db.prepareStatement("SELECT id FROM book WHERE " + String.join(" AND ", conditions));
    }

    void ahead(Connection db, String author) {
        List<String> conditions = new ArrayList<>();
        conditions.add("author = ?");
        conditions.add(0, "year > 2000");
        StringBuilder sql = new StringBuilder("book WHERE ");
        sql.insert(0, "SELECT id FROM ");
        db.prepareStatement(sql.toString() + String.join(" AND ", conditions));
    }

    void filtered(Connection db, long author, int state) {
        String sql = "UPDATE book SET state = 1";
        if (author > 0) {
            sql += " WHERE author = ?";
        }
        if (state >= 0) {
            sql += author > 0 ? " AND " : " WHERE ";
            sql += "state = ?";
        }
        db.prepareStatement(sql);
    }

    void within(Connection db, long year) {
        String chosen = "SELECT id FROM book WHERE year > " + year;
        String sql = "SELECT max(id) FROM (" + chosen + ") GROUP BY id % 7";
        db.prepareStatement(sql);
    }
}

class Store {
    void open(Connection db, int version) throws SQLException {
        Statement statement = db.createStatement();
        if (version < 1) {
            statement.execute("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
        }
        if (version < 3) {
            statement.execute("ALTER TABLE ships ADD COLUMN name TEXT");
        }
        if (version < 2) {
            statement.execute("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)");
        }
    }

    ResultSet ships(Connection db) throws SQLException {
        return db.prepareStatement("SELECT id FROM ships WHERE name = ?").executeQuery();
    }
}

class Harbour {
    void choose(Connection db, int choice, String name) throws SQLException {
        switch (choice) {
            case 1:
                makeTables(db);
                break;
            case 2:
                berth(db, name);
                break;
            case 3:
                makeIndexes(db);
                break;
        }
    }

    void makeTables(Connection db) throws SQLException {
        db.createStatement().execute("CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, name TEXT)");
    }

    void makeIndexes(Connection db) throws SQLException {
        db.createStatement().execute("CREATE INDEX IF NOT EXISTS ships_by_name ON ships (name)");
    }

    void berth(Connection db, String name) throws SQLException {
        db.prepareStatement("INSERT INTO ships (name) VALUES (?)").executeUpdate();
    }
}

class Ships {
    ResultSet named(Connection db) throws SQLException {
        return db.prepareStatement("SELECT id FROM named_ships WHERE name = ?").executeQuery();
    }
}

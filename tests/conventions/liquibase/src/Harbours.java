class Harbours {
    ResultSet deep(Connection db) throws SQLException {
        return db.prepareStatement("SELECT id FROM harbours WHERE depth > 20").executeQuery();
    }
}

/** Templates that are filled where they are used. */
class Berths {
    private static final String OLD = "berths_old";
    private static final String NEW = "berths_new";
    private static final String MOVE = "UPDATE %s SET pier = ? WHERE id = ?";

    void move(Connection connection) throws SQLException {
        final var sql = """
                        DELETE FROM %s WHERE ship = ?
                        """;
        connection.prepareStatement(sql.formatted(OLD));
        connection.prepareStatement(sql.formatted(NEW));
        connection.prepareStatement(MOVE.formatted(NEW));
    }
}

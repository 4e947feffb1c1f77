class Pier {
    private static final String SHIPS = "SELECT ships.id, ships.name FROM ships LEFT JOIN crews ON crews.ship = ships.id ";
    private static final String LOADED = SHIPS + "WHERE ships.load > 0 ";
    private static final String BY_COLUMN = "SELECT id FROM ships WHERE %s = ?";
    private static final String WHOLE = "SELECT id FROM crews";

    Cursor page(Database db, int berth, int offset) {
        final String sql = SHIPS + "WHERE ships.berth = " + berth + " ORDER BY ships.name LIMIT " + offset + ", 50";
        return db.rawQuery(sql, null);
    }

    Cursor named(Database db, String name) {
        return db.rawQuery(SHIPS + "WHERE ships.name = ?", new String[]{name});
    }

    Cursor loaded(Database db) {
        return db.rawQuery(LOADED + "ORDER BY ships.load", null);
    }

    Cursor by(Database db) {
        db.rawQuery(WHOLE, null);
        db.rawQuery(WHOLE + " ORDER BY id", null);
        db.rawQuery(String.format(BY_COLUMN, "berth"), null);
        return db.rawQuery(String.format(Locale.US, BY_COLUMN, "name"), null);
    }

    Cursor count(Database db, String filter) {
        String where = "".equals(filter) ? "" : " WHERE " + filter;
        return db.rawQuery("SELECT count(*) FROM ships" + where, null);
    }

    void hidden(Database db) {
        String SHIPS = "SELECT id FROM boats";
        db.rawQuery(SHIPS + " WHERE id = 1", null);
    }
}

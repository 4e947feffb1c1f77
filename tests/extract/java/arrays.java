class Arrays {
    static final String[] TIDES = {"high", "low"};

    void all(Database db) {
        for (String tide : TIDES) {
            db.execSQL("DELETE FROM " + tide + " WHERE gone = 1");
        }
    }

    void one(Database db, int which) {
        String names[] = {"bell", "log"};
        db.execSQL("SELECT mate FROM " + names[which]);
        db.execSQL("SELECT hour FROM " + names[0]);
    }

    void filled(Database db, String other) {
        String[] names = {"bell", other};
        db.execSQL("SELECT watch FROM " + names[0]);
    }
}

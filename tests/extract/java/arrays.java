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

class Loops {
    void each(Database db) {
        String[] tides = {"neap", "spring"};
        for (final String tide : tides) {
            db.execSQL("UPDATE " + tide + " SET gone = 1");
        }
        for (int i = tides.length > 1 ? 1 : 0; i < 2; i++) {
            db.execSQL("SELECT gone FROM " + tides[i]);
        }
    }
}

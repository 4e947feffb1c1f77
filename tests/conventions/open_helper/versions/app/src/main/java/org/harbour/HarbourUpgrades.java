class HarbourUpgrades {
    static void upgrade(SQLiteDatabase db, int oldVersion, int newVersion) {
        if (oldVersion < 2) {
            db.execSQL("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)");
        }
        if (oldVersion < 3) {
            db.execSQL("ALTER TABLE harbours ADD COLUMN depth INTEGER");
            db.execSQL("CREATE INDEX ships_by_harbour ON ships (harbour)");
        }
    }
}

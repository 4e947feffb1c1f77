class Watch {
    public static final int OPEN = 0;
    private static final long LATE = -1L;
    static final int PAGE = 50, OTHER = 3;
    private int hour = 7;

    void read(Database db, int page, int hour) {
        db.rawQuery("SELECT id FROM watches WHERE state = " + OPEN + " AND late = " + LATE, null);
        db.rawQuery("SELECT id FROM watches WHERE state = " + Watch.OPEN + " LIMIT " + PAGE, null);
        db.rawQuery("SELECT id FROM watches LIMIT 1 OFFSET " + (page + PAGE), null);
        db.rawQuery("SELECT id FROM watches LIMIT 2 OFFSET " + page * PAGE, null);
        db.rawQuery("SELECT id FROM watches LIMIT 3 OFFSET " + (PAGE + 1), null);
        db.rawQuery("SELECT id FROM watches WHERE hour = " + hour, null);
        int OPEN = page;
        db.rawQuery("SELECT id FROM watches WHERE hidden = " + OPEN, null);
    }
}

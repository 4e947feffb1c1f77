public class HarbourDatabase extends SQLiteOpenHelper {
    private static final int VERSION = 3;
    private static final String CREATE_HARBOURS = "CREATE TABLE harbours ("
        + "id INTEGER PRIMARY KEY, name TEXT NOT NULL, depth INTEGER)";
    private static final String CREATE_SHIPS = "CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)";
    private static final String SHIPS_INDEX = "CREATE INDEX ships_by_harbour ON ships (harbour)";

    HarbourDatabase(Context context) {
        super(context, "harbours.db", null, VERSION);
    }

    @Override
    public void onCreate(SQLiteDatabase db) {
        db.execSQL(CREATE_HARBOURS);
        db.execSQL(CREATE_SHIPS);
        db.execSQL(SHIPS_INDEX);
    }

    @Override
    public void onUpgrade(SQLiteDatabase db, int oldVersion, int newVersion) {
        HarbourUpgrades.upgrade(db, oldVersion, newVersion);
    }

    Cursor deep(SQLiteDatabase db) {
        return db.rawQuery("SELECT id FROM harbours WHERE depth > 20", null);
    }
}

import android.database.sqlite.SQLiteDatabase;

class Harbour {
    private static final String TABLE = "ships";
    private static final String KEY_NAME = "name";

    long add(SQLiteDatabase db, Ship ship) {
        ContentValues values = new ContentValues();
        values.put(KEY_NAME, ship.name);
        values.put("depth", ship.depth);
        return db.insert(TABLE, null, values);
    }

    void keep(SQLiteDatabase db, ContentValues values) {
        db.insertWithOnConflict("harbours", null, values, SQLiteDatabase.CONFLICT_REPLACE);
    }

    void rename(Ship ship) {
        ContentValues values = new ContentValues();
        values.put(KEY_NAME, ship.name);
        getWritableDatabase().update(TABLE, values, "id = ?", new String[]{ship.id});
    }

    void remove(SQLiteDatabase db, String name) {
        db.delete(TABLE, KEY_NAME + " = ? AND depth > 3", new String[]{name});
        db.delete("harbours", null, null);
    }

    Cursor all(SQLiteDatabase db, String selection) {
        db.query(TABLE, new String[]{KEY_NAME, "count(*)"}, null, null, KEY_NAME, null, "name DESC", "10");
        db.query(true, TABLE, null, "depth = ?", null, null, null, null, null);
        return db.query(TABLE, null, selection, null, null, null, null);
    }

    void others(Map<String, Ship> map, List<String> list) {
        map.replace("ships", ship);
        list.query("ships", null, "a = b");
    }
}

class Quay {
    Cursor some(SQLiteDatabase db, boolean afloat, String selection) {
        String where = afloat ? "state = 1" : null;
        db.query("ships", new String[]{"id"}, where, null, null, null, null);
        String order = null;
        if (afloat) {
            order = "name";
        }
        db.query("ships", new String[]{"name"}, null, null, null, null, order);
        String told = null;
        told = "berth = 2";
        db.query("ships", new String[]{"berth"}, told, null, null, null, null);
        return db.query("ships", null, afloat ? selection : null, null, null, null, null);
    }
}

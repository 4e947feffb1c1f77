import android.database.sqlite.SQLiteDatabase;

class Harbour {
    void rename(final Ship ship) {
        final ContentValues values = new ContentValues();
        values.put("name", ship.name);
        helper.run(new Work<Void>() {
            @Override
            public Void on(SQLiteDatabase db) {
                db.update("ships", values, "id = ?", null);
                return null;
            }
        });
        helper.run(new Work<Void>() {
            @Override
            public Void on(SQLiteDatabase db, ContentValues values) {
                db.insert("ships", null, values);
                return null;
            }
        });
    }

    ContentValues all(Ship ship) {
        ContentValues values = new ContentValues(2);
        values.put("name", ship.name);
        values.put("depth", ship.depth);
        return values;
    }

    void add(SQLiteDatabase db, Ship ship) {
        db.insert("ships", null, all(ship));
    }
}

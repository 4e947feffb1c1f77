package org.harbour;

import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;

public class CargoSearch extends SQLiteOpenHelper {
    CargoSearch(Context context) {
        super(context, "search.db", null, 1);
    }

    @Override
    public void onCreate(SQLiteDatabase db) {
        db.execSQL("CREATE VIRTUAL TABLE `ships` USING fts4 (`cargo`)");
    }

    @Override
    public void onUpgrade(SQLiteDatabase db, int from, int to) {
        db.execSQL("DROP TABLE IF EXISTS `ships`");
        onCreate(db);
    }

    static void put(SQLiteDatabase db, long id, String cargo) {
        db.execSQL("INSERT INTO `ships` (rowid, cargo) VALUES (?, ?)", new Object[] {id, cargo});
    }
}

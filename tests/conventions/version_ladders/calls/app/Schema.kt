import android.database.sqlite.SQLiteDatabase

class Schema {
    fun upgrade(db: SQLiteDatabase) {
        db.beginTransaction()
        if (db.version < 4) {
            createFromScratch(db)
        } else {
            Ladder.upgrade(db)
        }
        db.setTransactionSuccessful()
        db.endTransaction()
    }

    private fun createFromScratch(db: SQLiteDatabase) {
        db.execSQL("DROP TABLE IF EXISTS harbours")
        db.execSQL("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT, region INTEGER)")
        db.execSQL("DROP INDEX IF EXISTS harbours_region")
        db.execSQL("CREATE INDEX IF NOT EXISTS harbours_region ON harbours (region)")
        db.execSQL("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER)")
        db.execSQL("CREATE TABLE notes (id INTEGER PRIMARY KEY, harbour INTEGER, text TEXT)")
        db.execSQL("CREATE TRIGGER harbour_gone AFTER DELETE ON harbours BEGIN DELETE FROM ships WHERE harbour = OLD.id; END")
    }
}

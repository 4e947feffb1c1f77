import android.database.sqlite.SQLiteDatabase

class StepTo7(private val db: SQLiteDatabase) {
    fun trigger() {
        db.execSQL("DROP TRIGGER IF EXISTS harbour_gone")
        db.execSQL("CREATE TRIGGER harbour_gone AFTER DELETE ON harbours BEGIN DELETE FROM ships WHERE harbour = OLD.id; END")
    }
}

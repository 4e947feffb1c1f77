import android.database.sqlite.SQLiteDatabase

class StepTo8(private val db: SQLiteDatabase) {
    fun notes() {
        db.execSQL("CREATE TABLE notes (id INTEGER PRIMARY KEY, harbour INTEGER, text TEXT)")
    }
}

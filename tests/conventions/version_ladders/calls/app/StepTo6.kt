import android.database.sqlite.SQLiteDatabase

class StepTo6(private val db: SQLiteDatabase) {
    fun index() {
        db.execSQL("DROP INDEX IF EXISTS harbours_region")
        db.execSQL("CREATE INDEX IF NOT EXISTS harbours_region ON harbours (region)")
    }
}

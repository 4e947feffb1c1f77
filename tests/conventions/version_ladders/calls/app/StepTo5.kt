import android.database.sqlite.SQLiteDatabase

object StepTo5 {
    fun region(db: SQLiteDatabase) {
        db.execSQL("ALTER TABLE harbours ADD COLUMN region INTEGER")
    }
}

import android.database.sqlite.SQLiteDatabase

object Ladder {
    fun upgrade(db: SQLiteDatabase) {
        val old = db.version
        if (old < 5) StepTo5.region(db)
        if (old < 6) StepTo6(db).index()
        if (old < 7) StepTo7(db).trigger()
        // The rest needs more than a line.
        if (old < 8) {
            StepTo8(db).notes()
        }
    }
}

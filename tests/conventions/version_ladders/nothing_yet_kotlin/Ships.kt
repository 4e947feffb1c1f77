package harbour

class Ships(private val db: Database) {

    init {
        when (val version = versionOf(db)) {
            null -> {
                db.execSQL("CREATE TABLE ship (name TEXT PRIMARY KEY, arrived INTEGER NOT NULL)")
                db.execSQL("CREATE INDEX ship_arrived ON ship (arrived)")
            }
            in 1..2 -> {
                if (version < 2) migrateTo2()
                if (version < 3) migrateTo3()
            }
        }
    }

    private fun migrateTo2() {
        db.execSQL("ALTER TABLE ship ADD COLUMN quay TEXT")
    }

    private fun migrateTo3() {
        db.execSQL("CREATE TABLE ship_3 (name TEXT PRIMARY KEY, arrived INTEGER NOT NULL)")
        db.execSQL("INSERT INTO ship_3 SELECT name, arrived FROM ship")
        db.execSQL("DROP TABLE ship")
        db.execSQL("ALTER TABLE ship_3 RENAME TO ship")
        db.execSQL("CREATE INDEX ship_arrived ON ship (arrived)")
    }

    fun since(time: Long) = db.rawQuery("SELECT name FROM ship WHERE arrived > ?", arrayOf("$time"))
}

package org.harbour

object CrewTable {
    fun onCreate(db: SQLiteDatabase) {
        db.execSQL("CREATE TABLE crews (id INTEGER PRIMARY KEY, ship INTEGER)")
        db.execSQL("CREATE INDEX crews_ship ON crews (ship)")
    }

    fun of(db: SQLiteDatabase, ship: Long) = db.rawQuery("SELECT id FROM crews WHERE ship = ?", arrayOf("$ship"))
}

package org.harbour

object ShipTable {
    fun onCreate(db: SQLiteDatabase) = db.execSQL("CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT)")

    fun all(db: SQLiteDatabase) = db.rawQuery("SELECT name FROM ships", null)
}

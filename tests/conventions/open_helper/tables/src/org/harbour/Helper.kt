package org.harbour

class Helper(context: Context) : SQLiteOpenHelper(context, "harbour.db", null, 2) {
    override fun onCreate(db: SQLiteDatabase) {
        ShipTable.onCreate(db)
        CrewTable.onCreate(db)
    }

    override fun onUpgrade(db: SQLiteDatabase, from: Int, to: Int) {}
}

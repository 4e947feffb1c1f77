import android.database.sqlite.SQLiteDatabase

const val TABLE = "ships"

class Harbour(private val helper: Helper) {
    fun add(ship: Ship) {
        val values = ContentValues().apply {
            put("name", ship.name)
            put("depth", ship.depth)
        }
        helper.writableDatabase.insert(TABLE, null, values)
    }

    fun rename(db: SQLiteDatabase, ship: Ship) {
        db.update(TABLE, contentValuesOf("name" to ship.name), "id = ?", arrayOf(ship.id))
    }

    fun find(db: SQLiteDatabase, name: String): Cursor =
        db.query(TABLE, arrayOf("id", "depth"), "name = ?", arrayOf(name), null, null, "depth")

    fun weigh(db: SQLiteDatabase, ship: Ship) {
        val values = ContentValues()
        values.put("json", JSONObject().apply { put("a", 1) }.toString())
        val others = ContentValues()
        others.put("weight", ship.weight)
        db.insert(TABLE, null, values)
        db.insert("weights", null, others)
        db.delete("weights", "", null)
    }

    fun forget(helper: Helper) {
        val db = helper.writableDatabase
        cache.delete("ships")
    }
}

import android.database.sqlite.SQLiteDatabase
import androidx.sqlite.db.SupportSQLiteDatabase

class Harbour {
    fun values(db: SQLiteDatabase, ship: Ship, given: ContentValues, where: String?) {
        db.insert("ships", null, given)
        db.update("ships", given, "id = ?", arrayOf(ship.id))
        db.insert("ships", null, ContentValues(given).apply { put("depth", 1) })
        db.insert("ships", null, ship.values())
        db.insert("ships", "name", null)
        val filled = ContentValues()
        fill(filled, ship)
        filled.put("name", ship.name)
        db.insert("ships", null, filled)
        val some = ContentValues()
        some.put("name", ship.name)
        some.put(ship.key, ship.value)
        db.insert("ships", null, some)
        val less = contentValuesOf("id" to ship.id, "name" to ship.name)
        less.remove("id")
        with(less) { put("depth", ship.depth) }
        db.insertWithOnConflict("ships", null, less, SQLiteDatabase.CONFLICT_IGNORE)
        db.updateWithOnConflict("ships", less, "id = ?", null, SQLiteDatabase.CONFLICT_REPLACE)
        db.delete("ships", where, null)
        db.delete("ships", if (ship.isOld) "age > 9" else null, null)
    }

    fun support(db: SupportSQLiteDatabase, ship: Ship) {
        val values = ContentValues()
        values.put("name", ship.name)
        db.insert("ships", SQLiteDatabase.CONFLICT_REPLACE, values)
        db.update("ships", SQLiteDatabase.CONFLICT_NONE, values, "id = ?", arrayOf(ship.id))
        db.update("ships", 4, values, "id = ?", arrayOf(ship.id))
    }
}

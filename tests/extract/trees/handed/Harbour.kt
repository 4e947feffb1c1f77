package harbour

class Harbour(private val helper: Helper) {
    fun rename(id: Long, name: String) {
        val values = ContentValues()
        values.put("name", name)
        helper.run { db ->
            db.update("ships", values, "id = ?", arrayOf("$id"))
        }
    }

    fun forget(id: Long) = helper.run { db ->
        db.sink(id)
        with(db) {
            if (id > 0) {
                delete("crews", "ship = ?", arrayOf("$id"))
            }
        }
        db.apply { insert("logs", null, log(id)) }
    }

    private fun SQLiteDatabase.sink(id: Long) {
        delete("ships", "id = ?", arrayOf("$id"))
    }

    private fun log(id: Long) = ContentValues().apply {
        put("ship", id)
        put("what", "sunk")
    }

    private fun Cache.clear(id: Long) {
        delete("ships", "id = ?", arrayOf("$id"))
        others.apply { insert("ships", null, log(id)) }
    }
}

// Functions with blocks and with values, extensions, loops, trailing lambdas, tests.
package notes

class Store(context: Context) : SQLiteOpenHelper(context, "notes.db", null, 3) {
    override fun onCreate(db: SQLiteDatabase) {
        db.execSQL("CREATE TABLE tags (note INTEGER, tag TEXT)")
    }

    fun find(id: Long) = readableDatabase.rawQuery("SELECT title FROM notes WHERE _id = ?", arrayOf("$id"))
    fun count(): Int = readableDatabase
        .rawQuery("SELECT count(*) FROM notes", null)
        .use { it.getInt(0) }

    val all: Cursor
        get() = readableDatabase.rawQuery("SELECT title FROM notes", null)

    suspend fun <T : Row> saveAll(rows: List<T>) = withContext(io) {
        for (row in rows) {
            db.execSQL("INSERT INTO notes (title) VALUES (?)", arrayOf(row.title))
        }
        for (row in rows) db.execSQL("UPDATE notes SET title = ? WHERE _id = ?", arrayOf(row.title, row.id))
        db.execSQL("DELETE FROM tags WHERE note IS NULL")
        rows.forEach { row ->
            find(row.id)
            db.execSQL("DELETE FROM tags WHERE note = ?", arrayOf(row.id))
        }
        while (rows.isEmpty()) {
            db.execSQL("DELETE FROM notes WHERE title IS NULL")
        }
    }

    companion object {
        fun open(context: Context) = Store(context)
    }
}

fun SQLiteDatabase.removeTag(tag: String) {
    execSQL("DELETE FROM tags WHERE tag = ?", arrayOf(tag))
}

class Checks {
    @Test
    fun `rows are found`() {
        db.execSQL("INSERT INTO notes (title) VALUES ('a')")
    }
}

private fun tableOf(kind: String): String {
    return "app_$kind"
}

fun due(db: SQLiteDatabase) {
    db.execSQL("DELETE FROM ${tableOf("tasks")} WHERE due < 3")
}

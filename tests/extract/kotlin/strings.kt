// Texts with names and expressions in them, raw texts, constants.
package notes

const val TABLE = "notes"
private const val COLUMN_TITLE = "title"

object Schema {
    const val CREATE = "CREATE TABLE $TABLE (_id INTEGER PRIMARY KEY, $COLUMN_TITLE TEXT)"
    val steps = listOf(
        "ALTER TABLE $TABLE ADD COLUMN body TEXT",
        """
            CREATE INDEX notes_title
            ON notes ($COLUMN_TITLE)
        """.trimIndent(),
    )
}

class Notes(private val db: SQLiteDatabase) {
    fun strings(owner: String, ids: List<Long>, newest: Boolean) {
        db.rawQuery("SELECT \"title\" FROM notes WHERE price = \$1", null)
        db.rawQuery("""SELECT '\n' FROM notes WHERE title = "a"""", null)
        db.rawQuery("SELECT body FROM ${TABLE} WHERE _id IN (${ids.joinToString(",") { "?" }})", null)
        db.rawQuery("SELECT body FROM ${Schema.TABLE} ORDER BY _id ${if (newest) "DESC" else "ASC"}", null)
        db.rawQuery("SELECT body FROM notes WHERE owner = '${owner.map { "}" }}'", null)
        db.rawQuery("SELECT body FROM notes " +
            "WHERE owner = ?", arrayOf(owner))
        val quote = '"'
        db.rawQuery("SELECT %s FROM notes".format(COLUMN_TITLE), null)
    }
}

@Dao
interface NoteDao {
    @Query("SELECT * FROM notes WHERE title = :title")
    fun byTitle(title: String): List<Note>

    @Query("""
        DELETE FROM notes
        WHERE _id = :id
    """)
    suspend fun delete(id: Long)
}

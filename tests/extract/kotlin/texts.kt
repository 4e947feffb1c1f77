class Harbour(private val db: SQLiteDatabase) {
    fun count(name: String) = db.rawQuery(
        """
            |SELECT count(*)
            |FROM ships
            |WHERE name = ? AND depth > 3 || ''
        """.trimMargin(),
        arrayOf(name),
    )

    fun sink(condition: String) {
        val sql = """|UPDATE ships
            |SET sunk = 1
            |WHERE id = ?
            |""".trimMargin()
        db.execSQL(sql)
        log("|update of the harbour".trimMargin())
    }
}

class Choices(private val db: SQLiteDatabase) {
    fun all(isOld: Boolean, limit: Int) {
        val condition = if (isOld) "age > 9" else "age <= 9"
        db.rawQuery("SELECT name FROM ships WHERE $condition", null)
        val order = if (limit > 0) {
            " ORDER BY age"
        } else if (limit < 0) {
            " ORDER BY name"
        } else {
            ""
        }
        db.rawQuery("SELECT name FROM ships" + order, null)
    }
}

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

// Parameters that take all arguments which remain.
class Mines(private val db: SQLiteDatabase) {
    private fun index(table: String, vararg columns: String, unique: Boolean = false) {
        val kind = if (unique) "UNIQUE " else ""
        val name = table + "_" + columns.joinToString("_")
        db.execSQL("CREATE ${kind}INDEX $name ON $table (${columns.joinToString(", ")})")
    }

    fun indexes(more: Array<String>) {
        val ores = arrayOf("vein", "depth")
        index("mine", "shaft")
        index("mine", "owner", "opened", unique = true)
        index("ore", *ores)
        index("cart", *more)
    }
}

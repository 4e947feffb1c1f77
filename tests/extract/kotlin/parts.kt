class Depot(private val db: Database) {
    private fun shelfClause(shelf: String?): Pair<String, Array<String>> {
        if (shelf == null) return Pair("WHERE shelf IS NULL", arrayOf())
        return Pair("WHERE shelf = ?", arrayOf(shelf))
    }

    fun onShelf(shelf: String?) {
        val (clause, values) = shelfClause(shelf)
        db.rawQuery("SELECT label FROM crates $clause", values)
    }
}

// What callers hand to a function of the file that makes text of it.

fun index(db: SQLiteDatabase, table: String, columns: List<String>, unique: Boolean = false) {
    val kind = if (unique) "UNIQUE " else ""
    db.execSQL("CREATE ${kind}INDEX by_${columns.joinToString("_")} ON $table (${columns.joinToString(", ")})")
}

fun indexes(db: SQLiteDatabase) {
    index(db, "book", listOf("author"))
    index(db, "book", listOf("isbn"), unique = true)
    index(db, "author", listOf("name", "born"))
}

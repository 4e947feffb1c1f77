class Handed {
    /** What callers hand to a method of the file that makes text of it. */
    void index(SQLiteDatabase db, String name, String table, List<String> columns) {
        db.execSQL("CREATE INDEX " + name + " ON " + table + " (" + String.join(", ", columns) + ")");
    }

    void indexes(SQLiteDatabase db) {
        index(db, "by_author", "book", List.of("author"));
        index(db, "by_name", "author", Arrays.asList("name", "born"));
    }
}

package org.harbour

object Cache {
    fun open(context: Context) {
        val db = context.openOrCreateDatabase("cache.db")
        db.execSQL("CREATE TABLE IF NOT EXISTS pages (url TEXT PRIMARY KEY, body BLOB)")
    }
}

package org.harbour

object Ships {
    fun open(context: Context) {
        val db = context.openOrCreateDatabase("ships.db")
        db.execSQL("CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, name TEXT)")
    }
}

const val OPEN = 0

class Watch(val db: Database) {
    companion object {
        private const val PAGE = 50
    }

    fun read(page: Int) {
        db.rawQuery("SELECT id FROM watches WHERE state = $OPEN LIMIT ${PAGE}", null)
        db.rawQuery("SELECT id FROM watches LIMIT 1 OFFSET ${page * PAGE}", null)
    }
}

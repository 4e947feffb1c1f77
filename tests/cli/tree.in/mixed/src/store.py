def height(db, key):
    return db.execute("SELECT height FROM tides WHERE id = ?", (key,)).fetchone()

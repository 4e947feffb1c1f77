def ships(db, harbour):
    return db.execute("SELECT id FROM ships WHERE harbour = ?", (harbour,))

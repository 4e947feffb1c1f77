def ships(db, name):
    return db.execute("SELECT id FROM ships WHERE name = ?", (name,))

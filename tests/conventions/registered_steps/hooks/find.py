def find(db, watts):
    return db.execute("SELECT id FROM lamps WHERE watts = ?", (watts,)).fetchall()

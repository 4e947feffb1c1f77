def ships(db, name):
    return db.execute("SELECT id FROM ships JOIN masts ON masts.ship = ships.id WHERE name = ?", (name,))

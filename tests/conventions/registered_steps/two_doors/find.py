def parent(db, height):
    return db.execute("SELECT parent FROM seen WHERE height = ?", (height,))


def services(db, address):
    return db.execute("SELECT services FROM seen WHERE address = ?", (address,))

def cache(db):
    db.execute("CREATE TABLE IF NOT EXISTS ships (name TEXT, harbour INTEGER)")

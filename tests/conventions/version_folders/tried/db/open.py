def titles(db):
    return db.execute("SELECT title FROM harbours WHERE depth > 4")

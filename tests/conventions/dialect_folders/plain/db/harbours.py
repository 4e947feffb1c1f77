def deep(db):
    return db.execute("SELECT id FROM harbours WHERE depth > ?", (20,))

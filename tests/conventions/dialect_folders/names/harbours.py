def deep(db):
    return db.execute("SELECT id FROM harbours WHERE depth > ? AND tide = ?", (20, "low"))

def ships(db, mast):
    return db.execute("SELECT id FROM ships WHERE mast = ?", (mast,))

def later(db):
    db.execute("CREATE INDEX ships_owner ON ships(owner)")
    db.execute("DROP TABLE rafts")
    db.execute("CREATE TABLE crews (ship INTEGER, name TEXT)")


def first(db):
    db.execute("CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT)")


def named(db, name):
    return db.execute("SELECT id FROM ships WHERE id = ?", (name,))

import sqlite3


def open_store(path=None):
    if path is None:
        db = sqlite3.connect(":memory:")
    else:
        db = sqlite3.connect(path)
    db.execute("CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    ensure_crews(db)
    return db


def ensure_crews(db):
    db.execute("CREATE TABLE IF NOT EXISTS crews (id INTEGER PRIMARY KEY, ship INTEGER REFERENCES ships (id))")


def reset(db):
    ensure_crews(db)


def crews(db, name):
    return db.execute("SELECT crews.id FROM crews JOIN ships ON ships.id = crews.ship WHERE name = ?", (name,))

import sqlite3

UPGRADES = [
    "ALTER TABLE hulls ADD COLUMN colour TEXT",
    "CREATE INDEX hulls_colour ON hulls (colour)",
]

SCHEMA = """
CREATE TABLE hulls (id INTEGER PRIMARY KEY, name TEXT, colour TEXT);
CREATE INDEX hulls_colour ON hulls (colour);
"""


def open_store(path):
    db = sqlite3.connect(path)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0:
        db.executescript(SCHEMA)
    else:
        for text in UPGRADES[version - 1 :]:
            db.executescript(text)
    return db


def of_colour(db, colour):
    return db.execute("SELECT name FROM hulls WHERE colour = ?", (colour,)).fetchall()

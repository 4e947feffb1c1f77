import sqlite3


def split_names(db):
    db.execute("CREATE TABLE people_next (id INTEGER PRIMARY KEY, first TEXT, last TEXT)")
    for row in db.execute("SELECT id, name FROM people"):
        db.execute("INSERT INTO people_next VALUES (?, ?, ?)", (row[0], *row[1].split(" ", 1)))
    db.execute("DROP TABLE people")
    db.execute("ALTER TABLE people_next RENAME TO people")


STEPS = [
    "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE INDEX people_by_name ON people (name)",
    split_names,
    "CREATE TABLE visits (person INTEGER, day TEXT)",
]


def upgrade(db):
    (version,) = db.execute("PRAGMA user_version").fetchone()
    for number, step in enumerate(STEPS[version:], version + 1):
        if callable(step):
            step(db)
        else:
            db.execute(step)
        db.execute(f"PRAGMA user_version = {number}")


def find(db, last):
    return db.execute("SELECT id FROM people WHERE last = ?", (last,)).fetchall()

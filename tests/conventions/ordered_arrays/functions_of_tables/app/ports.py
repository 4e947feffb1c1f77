import sqlite3

PORTS = "CREATE TABLE IF NOT EXISTS ports (name TEXT, country TEXT)"
PIERS = "CREATE TABLE IF NOT EXISTS piers (port TEXT, length INTEGER)"


def load_ports(db, rows):
    db.executemany("INSERT INTO ports VALUES (?, ?)", rows)


def find_ports(db, country):
    return db.execute("SELECT name FROM ports WHERE country = ?", (country,)).fetchall()


def load_piers(db, rows):
    db.executemany("INSERT INTO piers VALUES (?, ?)", rows)


def count_piers(db):
    return db.execute("SELECT count(*) FROM piers").fetchone()


# What belongs to a table is no step of it.
TABLES = [
    ("ports", PORTS, load_ports, find_ports),
    ("piers", PIERS, load_piers, count_piers),
]

COUNTS = [(PORTS, find_ports), (PIERS, count_piers)]


def open_all(path):
    db = sqlite3.connect(path)
    for _, ddl, _, _ in TABLES:
        db.execute(ddl)
    return db

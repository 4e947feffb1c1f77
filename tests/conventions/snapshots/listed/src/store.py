import os
import sqlite3


def create(db):
    db.executescript(open("sql/parcels.sql").read())
    for name in sorted(os.listdir("sql")):
        if name != "parcels.sql":
            db.executescript(open(os.path.join("sql", name)).read())


def large(db, size):
    return db.execute("SELECT id FROM parcels WHERE size = ?", (size,))

import sqlite3

db = sqlite3.connect("parcels.db")
db.execute("CREATE TABLE parcel (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, state INTEGER NOT NULL CHECK (state IN (0, 1, 2)), paid INTEGER NOT NULL CHECK (paid IN (0, 1)))")
db.execute("CREATE INDEX parcel_owner ON parcel (owner)")
db.execute("CREATE INDEX parcel_state ON parcel (state, paid)")


def add(owner, state, paid):
    db.execute("INSERT INTO parcel (owner, state, paid) VALUES (?, ?, ?)", (owner, state, paid))


def waiting():
    return db.execute("SELECT id FROM parcel WHERE state = 2 AND paid = 1 LIMIT 10").fetchall()


def of(owner):
    return db.execute("SELECT id FROM parcel WHERE owner = ? AND state = 1 AND paid = 0", (owner,)).fetchall()

import sqlite3

db = sqlite3.connect("parcels.db")
db.execute("CREATE TABLE parcel (number INTEGER PRIMARY KEY, owner TEXT NOT NULL, state INTEGER NOT NULL CHECK (state IN (0, 1, 2)), UNIQUE (state, number))")
db.execute("CREATE INDEX parcel_owner ON parcel (owner)")


def add(number, owner, state):
    db.execute("INSERT INTO parcel (number, owner, state) VALUES (?, ?, ?)", (number, owner, state))


def of(owner):
    return db.execute("SELECT number FROM parcel WHERE owner = ? AND likelihood(state = 1, 0.00001)", (owner,)).fetchall()

import sqlite3

db = sqlite3.connect("parcels.db")
db.execute("CREATE TABLE parcel (number INTEGER NOT NULL, owner TEXT NOT NULL, state INTEGER NOT NULL CHECK (state IN (0, 1, 2)), paid INTEGER NOT NULL CHECK (paid IN (0, 1)), marks INTEGER NOT NULL, UNIQUE (state, paid, number))")
db.execute("CREATE INDEX parcel_owner ON parcel (owner)")


def add(number, owner, state, paid, marks):
    db.execute("INSERT INTO parcel (number, owner, state, paid, marks) VALUES (?, ?, ?, ?, ?)", (number, owner, state, paid, marks))


def of(owner):
    return db.execute("SELECT number FROM parcel WHERE owner = ? AND state = 1 AND paid = 0 AND marks & (1 << 2) IS NOT 0", (owner,)).fetchall()

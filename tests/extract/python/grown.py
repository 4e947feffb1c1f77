"""Clauses are put behind what callers hand over, and behind constants under another name."""

BASE = "SELECT id FROM berths WHERE pier = ? AND id > ?"
SCHEMA = "CREATE TABLE IF NOT EXISTS berths (id INTEGER PRIMARY KEY, pier TEXT, owner TEXT)"

def a(db):
    query = BASE
    query += " ORDER BY id DESC LIMIT 5"
    db.execute(query)

def b(db):
    query = BASE
    query = query + " ORDER BY id DESC LIMIT 6"
    db.execute(query)

def q(db, query):
    db.execute(query + " ORDER BY id DESC LIMIT 7", (1, 2))

def c(db):
    q(db, "SELECT pier FROM berths WHERE owner = ? AND id > ?")

def r(db, query, desc):
    query += " AND id > 99"
    if desc:
        query += " ORDER BY id DESC LIMIT 8"
    db.execute(query, (1, 2))

def d(db):
    r(db, BASE, True)

def s(query, desc):
    if desc:
        query += " ORDER BY id DESC LIMIT 9"
    return query

def e(db):
    db.execute(s("SELECT id FROM berths WHERE owner = ?", True), (1, 2))

def f(db):
    local = "SELECT id FROM berths WHERE owner > ?"
    q = local + " LIMIT 10"
    db.execute(q)
    z = s(local, True)
    db.execute(z)

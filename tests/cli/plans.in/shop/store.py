import sqlite3

SCHEMA = "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL); CREATE TABLE notes (text TEXT)"


def place(db, customer):
    db.execute("INSERT INTO orders (customer) VALUES (?)", (customer,))


def of(db, customer):
    return db.execute("SELECT id FROM orders WHERE customer = ? ORDER BY id LIMIT 1", (customer,)).fetchone()


def gone(db):
    return db.execute("SELECT texts FROM notes").fetchall()

import sqlite3

db = sqlite3.connect("notes.db")
db.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, at INTEGER NOT NULL, body TEXT)")
db.execute("CREATE INDEX notes_at ON notes (at)")


def add(author, at, body):
    db.execute("INSERT INTO notes (author, at, body) VALUES (?, ?, ?)", (author, at, body))


def before(now):
    return db.execute("SELECT body FROM notes WHERE at + ?1 < ?2", (60, now)).fetchall()

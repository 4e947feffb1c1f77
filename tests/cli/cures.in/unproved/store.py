import sqlite3

db = sqlite3.connect("notes.db")
db.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, at INTEGER NOT NULL, body TEXT)")


def add(author, at, body):
    db.execute("INSERT INTO notes (author, at, body) VALUES (?, ?, ?)", (author, at, body))


def of(author):
    return db.execute("SELECT body FROM notes WHERE +author = ?", (author,)).fetchall()


def by(author):
    return db.execute("SELECT body FROM notes WHERE author LIKE '%' || ?", (author,)).fetchall()

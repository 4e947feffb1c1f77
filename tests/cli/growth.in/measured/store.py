import sqlite3

db = sqlite3.connect("notes.db")
db.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, body TEXT)")


def add(author, body):
    db.execute("INSERT INTO notes (author, body) VALUES (?, ?)", (author, body))


def of(author):
    return db.execute("SELECT body FROM notes WHERE author = ?", (author,)).fetchall()

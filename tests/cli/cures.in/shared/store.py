import sqlite3

db = sqlite3.connect("notes.db")
db.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, topic TEXT, at INTEGER NOT NULL, body TEXT)")


def add(author, topic, at, body):
    db.execute("INSERT INTO notes (author, topic, at, body) VALUES (?, ?, ?, ?)", (author, topic, at, body))


def of(author, topic):
    return db.execute("SELECT body FROM notes WHERE author = ? AND topic = ?", (author, topic)).fetchall()


def since(author, topic, at):
    return db.execute("SELECT body FROM notes WHERE topic = ? AND author = ? AND at > ?", (topic, author, at)).fetchall()


def by(author):
    return db.execute("SELECT body FROM notes WHERE author = ?", (author,)).fetchall()

"""A shelf of books."""

import sqlite3


def open_shelf(path):
    db = sqlite3.connect(path)
    db.execute(
        "CREATE TABLE IF NOT EXISTS books (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, title TEXT NOT NULL, shelf INTEGER NOT NULL)"
    )
    return db


def put(db, isbn, title, shelf):
    db.execute("INSERT INTO books (isbn, title, shelf) VALUES (?, ?, ?)", (isbn, title, shelf))


def find(db, isbn):
    return db.execute("SELECT title, shelf FROM books WHERE isbn = ?", (isbn,)).fetchone()

import sqlite3


def miles(db, ship):
    return db.execute("SELECT mile FROM entries WHERE ship = ?", (ship,)).fetchall()


def pages(db, entry):
    return db.execute("SELECT id FROM pages WHERE entry = ?", (entry,)).fetchall()

import sqlite3


def deep(db):
    return db.execute("SELECT name FROM harbours WHERE depth > 3").fetchall()


def masts(db):
    return db.execute("SELECT mast FROM ships").fetchall()


def export(db, path):
    db.execute("ATTACH ? AS " + alias(), (path,))
    db.execute("CREATE TABLE chart.lights (colour TEXT)")

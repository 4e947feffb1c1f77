from .doors import blocks


def heights(db):
    db.execute("CREATE TABLE seen (height INTEGER PRIMARY KEY, hash BLOB)")


def hashes(db):
    db.execute("ALTER TABLE seen ADD COLUMN parent BLOB")


blocks.register(1, heights)
blocks.register(2, hashes)

def upgrade_3(db):
    db.execute("ALTER TABLE ships ADD COLUMN name TEXT")


def upgrade_2(db):
    db.execute("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)")


def upgrade_1(db):
    db.execute("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")


def ships(db, name):
    return db.execute("SELECT id FROM ships WHERE name = ?", (name,))

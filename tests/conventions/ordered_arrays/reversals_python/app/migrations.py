MIGRATIONS = [
    ("harbours", "CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", None),
    ("ships", "CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)", "DROP TABLE ships"),
    ("name", "ALTER TABLE ships ADD COLUMN name TEXT", "ALTER TABLE ships RENAME TO gone"),
]


def migrate(db, version):
    for name, up, _down in MIGRATIONS[version:]:
        db.execute(up)


def ships(db, name):
    return db.execute("SELECT id FROM ships WHERE name = ?", (name,))

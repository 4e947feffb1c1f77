from yoyo import step

__depends__ = {"0001.harbours"}

steps = [
    step(
        "CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)",
        "DROP TABLE ships",
    ),
    step(
        "ALTER TABLE ships ADD COLUMN name TEXT",
        "ALTER TABLE ships DROP COLUMN name",
    ),
]

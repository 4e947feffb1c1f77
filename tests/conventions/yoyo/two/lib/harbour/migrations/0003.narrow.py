from yoyo import step
from lib.harbour.tables.narrow import TABLES


def apply(db):
    for text in TABLES:
        name = text.split()[2]
        db.execute(f"ALTER TABLE {name} RENAME TO {name}_old")
        db.execute(text)
        db.execute(f"INSERT INTO {name} SELECT * FROM {name}_old")
        db.execute(f"DROP TABLE {name}_old")


steps = [step(apply)]

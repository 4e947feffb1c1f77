from . import step


@step(number=1)
def guests(db):
    for text in (
        "CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE rooms (id INTEGER PRIMARY KEY, floor INTEGER)",
    ):
        db.execute(text)

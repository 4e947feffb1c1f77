from . import step


@step(number=2)
def apart(db):
    db.execute("ALTER TABLE guests RENAME TO visitors")
    db.execute("CREATE TABLE guests (visitor INTEGER, room INTEGER)")

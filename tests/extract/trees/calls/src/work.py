"""The same in Python."""


def fetch(db, key):
    return db.execute("SELECT * FROM leaf WHERE id = ?", (key,))


def all_of(db, keys, limit):
    for key in keys:
        fetch(db, key)
        fetch(db, limit)
        fetch(db, "x")
    cursor = 0
    while cursor is not None:
        cursor = fetch(db, cursor)


def locked(db):
    fetch(db, 1)
    with db.begin():
        fetch(db, 2)

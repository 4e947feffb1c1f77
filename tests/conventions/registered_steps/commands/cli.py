def init(db):
    db.execute("CREATE TABLE recipes (id INTEGER PRIMARY KEY, title TEXT)")


def extend(db):
    db.execute("ALTER TABLE recipes ADD COLUMN minutes INTEGER")


def wipe(db):
    db.execute("DROP TABLE recipes")


def quick(db, minutes):
    return db.execute("SELECT title FROM recipes WHERE minutes < ?", (minutes,)).fetchall()


# What a user may choose from runs in no order.
COMMANDS = [("init", init), ("extend", extend), ("wipe", wipe), ("quick", quick)]

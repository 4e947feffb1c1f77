hooks = []


def on(rank, function):
    hooks.append((rank, function))


def make_lamps(db):
    db.execute("CREATE TABLE lamps (id INTEGER PRIMARY KEY, room INTEGER)")


def add_watts(db):
    db.execute("ALTER TABLE lamps ADD COLUMN watts INTEGER")


# The highest runs first, as they stand here.
on(80, make_lamps)
on(40, add_watts)


def setup(db):
    for _, function in sorted(hooks, reverse=True):
        function(db)

"""Parameters that take all arguments which remain, and names that are made of a text of columns."""

ORES = ("vein", "depth")


def index(db, table, *columns, unique=False):
    kind = "UNIQUE " if unique else ""
    name = f"{table}_{'_'.join(columns)}"
    db.execute(f"CREATE {kind}INDEX IF NOT EXISTS {name} ON {table} ({', '.join(columns)})")


def indexes(db, more):
    index(db, "mine", "shaft")
    index(db, "mine", "owner", "opened", unique=True)
    index(db, "ore", *ORES)
    index(db, "ore", "grade", *ORES)
    index(db, "cart", *more)
    for table, column in [("lamp", "miner"), ("rail", "gauge")]:
        index(db, table, column)


def index_carts(db, *columns):
    index(db, "cart", *columns, "id")


def carts(db):
    index_carts(db, "driver")
    index_carts(db, "tunnel", "position")


def plain(db, table, *names, **options):
    db.execute(f"CREATE INDEX {table}_plain ON {table} ({names})")


def plains(db):
    plain(db, "mine", "shaft", "owner")


class Mine:
    def index_of(self, table, *, columns="id"):
        self.db.execute(f"CREATE INDEX {table}_of ON {table} ({columns})")

    def indexes(self):
        self.index_of("shaft", columns="level")


def named(db, table, columns):
    name = table + "_" + columns.replace(", ", "_")
    db.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {table} ({columns})")


def names(db):
    named(db, "mine", "opened, closed")
    named(db, "mine", "closed")


def marked(db, columns):
    db.execute(f"CREATE INDEX mine_{columns.replace('owner', 'shaft')} ON mine ({columns})")


def marks(db):
    marked(db, "owner")


def finds(db):
    for row in [("lamp", "miner"), ("rail", "gauge")]:
        db.execute("SELECT id FROM %s WHERE %s = 1" % (row[0], row[1]))

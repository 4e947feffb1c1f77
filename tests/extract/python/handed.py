"""What callers hand to a function of the file that makes text of it: lists, flags, and nothing."""

KEYS = [
    ("loan", ["reader", "due"]),
    ("shelf", ("room",)),
]


def index(db, table, columns, unique=False, name=None, where=None):
    unique = "UNIQUE " if unique else ""
    name = name or "%s_%s" % (table, "_".join(columns))
    columns = ", ".join(columns)
    sql = f"CREATE {unique}INDEX IF NOT EXISTS {name} ON {table} ({columns})"
    if where:
        sql += f" WHERE {where}"
    db.execute(sql)


def indexes(db):
    index(db, "book", ["author"])
    index(db, "book", ("isbn",), unique=True)
    index(db, "author", ["name", "born"], name="by_name", where="born > 0")


def plain(db, table, columns, unique=None):
    db.execute(
        "CREATE %(kind)s INDEX %(name)s_%(first)s ON %(name)s (%(columns)s)"
        % {
            "kind": "UNIQUE" if unique is not None else "",
            "name": table,
            "first": "key",
            "columns": ", ".join(columns),
        }
    )


def keys(db):
    for table, columns in KEYS:
        plain(db, table, columns)
    plain(db, "reader", ["name"], 1 == 1)


def options(db, **options):
    plain(db, "room", ["floor"], **options)


def inline(db, table, columns, unique=False):
    db.execute(f"CREATE {'UNIQUE' if unique else ''} INDEX {table}_of ON {table} ({', '.join(columns)})")


def turns(db, columns):
    inline(db, "loan", ["book"], True)
    for table, column in [("reader", "card"), ("author", "country")]:
        inline(db, table, [column])
        db.execute(f"UPDATE {table} SET {column} = lower({column})")
    inline(db, "shelf", columns=columns)


def chosen(db, columns, order="title"):
    return db.execute(f"SELECT {', '.join(columns)} FROM book ORDER BY {order}").fetchall()


def within(db, table, column, where_clause=None, unique=False):
    def run(conn):
        sql = "CREATE %(unique)s INDEX %(name)s ON %(table)s (%(column)s) %(where)s" % {
            "unique": "UNIQUE" if unique else "",
            "name": table + "_within",
            "table": table,
            "column": column,
            "where": "WHERE " + where_clause if where_clause else "",
        }
        conn.execute(sql)

    db.later(run)


def shown(db):
    chosen(db, ["title", "author"])
    chosen(db, ("author",), "author")
    within(db, "book", "year")
    within(db, "card", "reader", where_clause="lost")

"""Texts put together from pieces."""

TABLE = "book"
COLUMNS = "id, title"
ALL = f"SELECT {COLUMNS} FROM {TABLE}"
TYPED: str = "SELECT author FROM book"


def formats(db, table, limit, columns):
    db.execute(f"SELECT {COLUMNS} FROM {table} LIMIT {limit}")
    db.execute(f"SELECT id FROM {table!r} WHERE x = '{{}}' AND y = {limit:>4}")
    db.execute(f"SELECT {', '.join(columns)} FROM book")
    db.execute(f"SELECT id FROM {self.table} WHERE id = {compute(limit)}")
    db.execute(rf"SELECT id FROM {table} WHERE x LIKE '\_'")
    db.execute(f"""
        SELECT id FROM {table}
        WHERE id = ?
    """)
    db.execute("SELECT {} FROM {}".format("id", TABLE))
    db.execute("SELECT {0} FROM {1} WHERE {0} = 1".format("id", table))
    db.execute("SELECT {column} FROM {place}".format(column="title", place=TABLE))
    db.execute("SELECT %s FROM %s" % ("id", table))
    db.execute("SELECT %(column)s FROM book" % {"column": "id"})
    db.execute("SELECT id FROM %s" % TABLE)
    db.execute("SELECT id FROM %s WHERE x LIKE '%%y'" % table)
    db.execute("SELECT id FROM " + TABLE + " WHERE id = ?", (1,))
    db.execute("SELECT id "
               f"FROM {table} "
               "WHERE id = ?")


def named(db):
    db.execute(ALL)
    db.execute(TYPED)
    sql = "SELECT id FROM book WHERE author = ?"
    db.execute(sql, ("a",))
    query = (
        "SELECT title "
        "FROM book "
        "WHERE id = ?"
    )
    db.execute(query, (1,))


def placeholders(db, ids):
    db.execute("SELECT id FROM book WHERE id IN (%s)" % ",".join("?" * len(ids)), ids)
    db.execute("SELECT id FROM book WHERE id IN ({})".format(",".join(["?"] * len(ids))), ids)
    db.execute(f"SELECT author FROM book WHERE id IN ({','.join('?' * len(ids))})", ids)
    db.execute("DELETE FROM book WHERE id IN (" + ",".join("?" for _ in ids) + ")", ids)
    db.execute(f'SELECT title FROM book WHERE id IN ({"?," * (len(ids) - 1)}?)', ids)
    db.execute(f"SELECT title FROM book WHERE id IN ({('?, ' * len(ids))[:-2]})", ids)
    db.execute("SELECT title FROM book WHERE id IN (" + "?," * (len(ids) - 1) + "?)", ids)


def choices(db, newest):
    db.execute("SELECT a FROM book" if newest else "SELECT b FROM book")
    order = "DESC" if newest else "ASC"
    db.execute(f"SELECT id FROM book ORDER BY id {order}")
    db.execute(f"SELECT id FROM book WHERE id > ? {'' if newest else 'AND author = 1'}", (1,))
    if newest:
        where = "WHERE a = 1"
    else:
        where = "WHERE b = 2"
    db.execute("SELECT id FROM book " + where)
    db.execute("SELECT id FROM book" + (" LIMIT 1" if newest else ""))

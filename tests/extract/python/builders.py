"""Texts built piece by piece."""


def appended(db, newest):
    sql = "SELECT id FROM book"
    sql += " WHERE author = ?"
    if newest:
        sql += " AND year > 2000"
    db.execute(sql + " ORDER BY id")


def either(db, kind):
    sql = "SELECT id FROM book WHERE "
    if kind == 1:
        sql += "year = ?"
    elif kind == 2:
        sql += "author = ?"
    else:
        sql += "title = ?"
    db.execute(sql)


def made_anew(db, limit):
    sql = "SELECT id FROM book WHERE author = ?"
    if limit:
        sql = f"{sql} LIMIT {limit}"
    db.execute(sql)


def listed(db, author, year):
    conditions = []
    if author:
        conditions.append("author = ?")
    if year:
        conditions.append("year = ?")
    sql = "SELECT id FROM book"
    if conditions:
        sql += " WHERE " + " AND ".join(conditions)
    db.execute(sql)


def pieces(db, author):
    parts = ["SELECT id", "FROM book"]
    if author:
        parts.append("WHERE author = ?")
    parts.append("ORDER BY id")
    db.execute(" ".join(parts))


def extended(db):
    parts = ["a = ?"]
    parts += ["b = ?", "c = ?"]
    parts.extend(["d = ?"])
    db.execute(f"UPDATE book SET {', '.join(parts)} WHERE id = ?")


def unknown(db, book):
    sql = "SELECT id FROM book"
    sql += book.where()
    db.execute(sql)


def computed(db, fields):
    sets = [f"{name} = ?" for name in fields]
    db.execute("UPDATE book SET " + ", ".join(sets) + " WHERE id = ?")


def tried(db, order):
    sql = "SELECT id FROM book"
    with order as column:
        sql += f" ORDER BY {column}"
    db.execute(sql)

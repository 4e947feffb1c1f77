"""Texts that pass between the functions of a file."""


def order_of(newest):
    if newest:
        return "year DESC"
    return "title"


def listed(db, newest):
    db.execute(f"SELECT id FROM book WHERE {condition('author')} " + "ORDER BY " + order_of(newest))


def count(self, table):
    self.db.execute("SELECT count(*) FROM " + table)


def both(store):
    store.count("book")
    store.count(table="author")

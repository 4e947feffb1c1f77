# What classes that are made of another say of its fields and members.


class Store:
    table = ""

    def add(self, name):
        self.db.execute(f"INSERT INTO {self.table} (name) VALUES (?)", (name,))

    def named(self, name):
        return self.db.execute("SELECT id FROM " + self.table + " WHERE name = ?", (name,))


class Ships(Store):
    table = "ships"


class Boats(Store):
    def __init__(self, db):
        self.db = db
        self.table = "boats"


class Query:
    tail = ""

    def run(self):
        return self.db.execute("SELECT name FROM piers" + self.tail)


class Free(Query):
    tail = " WHERE ship IS NULL"


class Log:
    stores = (Ships, Boats)

    def setup(self):
        for store in self.stores:
            self.db.execute(f"CREATE TABLE IF NOT EXISTS {store.table} (id INTEGER PRIMARY KEY, name TEXT)")

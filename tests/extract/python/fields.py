class Shelf:
    def __init__(self, db):
        self.db = db
        self.table = "crates"
        self.where = "WHERE kilos > ?"
        self.order = ""

    def sorted(self):
        self.order += " ORDER BY label"

    def labels(self):
        return self.db.execute(f"SELECT label FROM {self.table}")

    def heavier(self, kilos):
        return self.db.execute("SELECT kilos FROM " + self.table + " " + self.where, (kilos,))

    def all(self):
        # What is put behind it later is not known here.
        return self.db.execute(f"SELECT shelf FROM {self.table} {self.order}")


class Other:
    def labels(self, db):
        return db.execute(f"SELECT label FROM {self.table}")


class Changed:
    def __init__(self):
        self.table, self.order = "crates", "label"
        self.where: str = "WHERE kilos > 3"

    def labels(self, db):
        return db.execute(f"SELECT label FROM {self.table} {self.where}")


class Base:
    def __init__(self):
        self.table = "crates"

    def labels(self, db):
        return db.execute(f"SELECT shelf FROM {self.table}")


class Heir(Base):
    def __init__(self):
        self.table = "boxes"

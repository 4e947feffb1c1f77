"""Functions, classes and loops around a text."""

import functools

SCHEMA = """
CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, line TEXT);
CREATE INDEX IF NOT EXISTS log_line ON log (line);
"""
STEPS = [
    "ALTER TABLE log ADD COLUMN at",
    "CREATE INDEX log_at ON log (at)",
    SCHEMA,
]
BY_NAME = {
    "all": "SELECT * FROM log",
    "some": "SELECT * FROM log LIMIT 5",
}


def one_line(db): return db.execute("SELECT 1 FROM log")


class Log:
    TABLE = "log"
    INSERT = "INSERT INTO log (line) VALUES (?)"

    def __init__(self, db):
        self.db = db
        self.db.executescript(SCHEMA)

    @property
    def size(self):
        return self.db.execute("SELECT count(*) FROM log").fetchone()[0]

    @functools.lru_cache(maxsize=None)
    @staticmethod
    def cached(db):
        return db.execute("SELECT line FROM log WHERE id = 1")

    def write(self, lines):
        for line in lines:
            self.db.execute(self.INSERT, (line,))
            while self.full():
                self.db.execute("DELETE FROM log WHERE id = (SELECT min(id) FROM log)")
        self.db.commit()

    async def read(self, ids):
        async with self.db.execute("SELECT line FROM log") as cursor:
            async for row in cursor:
                await self.db.execute("UPDATE log SET line = ? WHERE id = ?", row)

    def many(self, rows):
        self.db.executemany("INSERT INTO log VALUES (?, ?)", rows)

        def nested(row):
            for _ in row: self.db.execute("INSERT INTO log VALUES (1, ?)", row)

        for row in rows:
            nested(row)
        return self.db.execute("SELECT max(id) FROM log")

    def locked(self):
        with self.begin():
            self.db.execute("DELETE FROM log")


def choose(db, name):
    return db.execute(BY_NAME[name])


def upgrade(db):
    run_all(db, STEPS)


if __name__ == "__main__":
    sqlite3.connect("x").execute("SELECT 2 FROM log")

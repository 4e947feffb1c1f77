"""Decorators that only put a function around another, and one that keeps it."""
HANDLERS = []


def timed(work):
    def timed_work(*given):
        return work(*given)

    return timed_work


def handles(work):
    HANDLERS.append(work)
    return work


class Log:
    @timed
    def forget_entries(self, day):
        self.connection.execute("DELETE FROM entry WHERE day < ?", (day,))

    @handles
    def sweep_entries(self, day):
        self.connection.execute("DELETE FROM entry WHERE swept < ?", (day,))

    @staticmethod
    @timed
    def count_entries(connection):
        return connection.execute("SELECT count(*) FROM entry").fetchone()

    @app.route("/entries")
    @timed
    def list_entries(self):
        return self.connection.execute("SELECT id FROM entry").fetchall()

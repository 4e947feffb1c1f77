"""A store whose method is called like the helper of a step."""
from steps import from_8_to_9
import tide


class Store:
    def __init__(self, connection):
        self.connection = connection

    def forget_ship(self, ship):
        self.connection.execute("DELETE FROM cargo WHERE ship = ?", (ship,))

    def open(self):
        from_8_to_9.do_migration(self.connection)
        count_berths(self.connection)
        tide.count_buoys(self.connection)


def count_berths(connection):
    return connection.execute("SELECT count(*) FROM berth").fetchone()


class Harbour:
    def __init__(self, store):
        self.store = store

    def leave(self, ship):
        self.store.forget_ship(ship)
        self.store.count_berths()
        tide.count_buoys(self.store)


def main():
    Harbour(Store(None)).leave(1)


if __name__ == "__main__":
    main()

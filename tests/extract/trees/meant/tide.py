"""A module whose function its name alone stands in front of."""


def count_buoys(connection):
    return connection.execute("SELECT count(*) FROM buoy").fetchone()


class Tide:
    def count_berths(self):
        return self.connection.execute("SELECT count(*) FROM berth WHERE tide = 1").fetchone()

    def count_buoys(self):
        return self.connection.execute("SELECT count(*) FROM buoy WHERE tide = 1").fetchone()

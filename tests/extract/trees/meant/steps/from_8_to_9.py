"""A step of a schema, whose helper is called like a method of the store."""


def do_migration(connection):
    for ship in connection.execute("SELECT id FROM ship WHERE flag IS NULL").fetchall():
        forget_ship(connection, ship[0])


def forget_ship(connection, ship):
    connection.execute("DELETE FROM ship WHERE id = ?", (ship,))

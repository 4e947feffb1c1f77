import sqlite3


def connect(path):
    connection = sqlite3.connect(path)
    with open("harbour.sql") as script:
        connection.executescript(script.read())
    connection.execute("CREATE INDEX IF NOT EXISTS ships_by_quay ON ships (quay)")
    try:
        connection.execute("ALTER TABLE ships ADD COLUMN built TEXT")
    except sqlite3.OperationalError:
        pass
    return connection


def at(connection, quay):
    return connection.execute("SELECT name, built FROM ships WHERE quay = ?", (quay,)).fetchall()

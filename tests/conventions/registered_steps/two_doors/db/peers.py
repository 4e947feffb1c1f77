from .doors import peers


def addresses(db):
    db.execute("CREATE TABLE seen (address TEXT PRIMARY KEY, at INTEGER)")


def services(db):
    db.execute("ALTER TABLE seen ADD COLUMN services INTEGER")


peers.register(1, addresses)
peers.register(2, services)

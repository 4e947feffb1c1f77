"""The program."""


def main():
    connect_db()
    work()


def connect_db():
    db.execute("PRAGMA busy_timeout = 100")


def work():
    db.execute("SELECT id FROM entry")
    shared_with_tools()


def shared_with_tools():
    db.execute("SELECT id FROM entry WHERE id = 1")


def for_tools():
    db.execute("SELECT id FROM entry WHERE id = 2")


@app.route("/")
def routed():
    db.execute("SELECT id FROM entry WHERE id = 3")


def upgrade_1_to_2():
    db.execute("ALTER TABLE entry ADD COLUMN at")

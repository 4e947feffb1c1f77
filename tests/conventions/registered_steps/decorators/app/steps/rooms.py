from . import STEPS


def index(db):
    db.execute("CREATE INDEX guests_room ON guests(room)")
    db.execute("ALTER TABLE rooms ADD COLUMN beds INTEGER")


STEPS[3] = index

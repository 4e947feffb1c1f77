"""A source with an unterminated string."""


def cut(db):
    db.execute("DELETE FROM cut WHERE id = 1)
    db.execute('DELETE FROM next')


def whole(db):
    db.execute("DELETE FROM whole")

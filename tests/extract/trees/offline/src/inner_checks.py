"""Tests, by their names."""


def test_here():
    db.execute("SELECT id FROM entry WHERE id = 7")


class TestHere:
    def check(self):
        db.execute("SELECT id FROM entry WHERE id = 8")


def behind():
    db.execute("SELECT id FROM entry WHERE id = 9")


behind()

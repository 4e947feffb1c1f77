"""Tests, by their path."""


def test_work():
    db.execute("SELECT id FROM entry WHERE id = 5")


class TestThings:
    def check(self):
        db.execute("SELECT id FROM entry WHERE id = 6")

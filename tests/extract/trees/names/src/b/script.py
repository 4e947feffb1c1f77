"""Sees no names of another language."""


def uses(db):
    db.execute(f"SELECT at FROM {TABLE}")

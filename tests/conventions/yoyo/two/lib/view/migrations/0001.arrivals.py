from yoyo import step


def apply(db):
    db.execute("CREATE TABLE arrivals (id INTEGER PRIMARY KEY, ship TEXT)")
    db.execute("INSERT INTO arrivals (id, ship) SELECT id, name FROM harbour_db.ships")


steps = [step(apply)]

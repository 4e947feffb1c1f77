from yoyo import step


def apply(db):
    for table in ["ships", "cargoes", "masts"]:
        db.execute(f"CREATE TABLE {table} AS SELECT * FROM harbour_db.{table}")
    db.execute("CREATE INDEX ships_by_name ON ships (name)")
    db.execute("CREATE INDEX cargoes_by_ship ON cargoes (ship)")
    db.execute("CREATE INDEX masts_by_ship ON masts (ship)")


steps = [step(apply)]

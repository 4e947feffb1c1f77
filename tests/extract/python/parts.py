def shelf_clause(shelf):
    if shelf:
        return "WHERE shelf = ?", [shelf]
    return ("WHERE shelf IS NULL", [])


def on_shelf(db, shelf):
    clause, values = shelf_clause(shelf)
    return db.execute(f"SELECT label FROM crates {clause}", values)


def heavier(db, kilos):
    clause, values = ("WHERE kilos > ?", [kilos]) if kilos else ("", [])
    return db.execute("SELECT kilos FROM crates " + clause, values)


def by_weight(db):
    column, order = "kilos", "DESC"
    return db.execute(f"SELECT label FROM crates ORDER BY {column} {order}")

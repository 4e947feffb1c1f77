def add(db, ship):
    db.execute("INSERT INTO arrivals (ship) VALUES (?)", (ship,))

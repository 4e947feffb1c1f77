def of(db, room):
    return db.execute("SELECT visitors.name FROM guests JOIN visitors ON visitors.id = visitor WHERE room = ?", (room,))

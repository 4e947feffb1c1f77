def named_ships(cursor):
    cursor.execute("SELECT id FROM ships WHERE name IS NOT NULL")
    return cursor.fetchall()

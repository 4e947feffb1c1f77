def add_note(db, notebook, body):
    db.execute("INSERT INTO notes (notebook, body) VALUES (?, ?)", (notebook, body))


def delete_note(db, note, now):
    db.execute("UPDATE notes SET deleted_at = ? WHERE id = ?", (now, note))


def notes_of(db, notebook):
    sql = "SELECT id, body FROM notes WHERE notebook = ? AND deleted_at IS NULL"
    return db.execute(sql, (notebook,)).fetchall()


def count_notes(db, notebook):
    return db.execute("SELECT count(*) FROM notes WHERE notebook = ?", (notebook,)).fetchone()[0]  # finds: deleted-row-read


def setting(db, name):
    return db.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()

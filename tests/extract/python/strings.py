"""Ways of writing a string: db.execute("SELECT 1 FROM a_docstring")."""

import sqlite3


def ways(db):
    db.execute("DELETE FROM shelf WHERE label = 'a\tb' AND note = \"x\\y\"")
    db.execute('DELETE FROM shelf WHERE label = "it\'s"')
    db.execute(r"DELETE FROM shelf WHERE label LIKE '\%' ESCAPE '\'")
    db.execute(R'DELETE FROM shelf WHERE kind = 0')
    db.execute("""
        DELETE FROM shelf
        WHERE label = "x" AND note = ''
    """)
    db.execute('''DELETE FROM shelf WHERE label = "'" ''')
    db.execute("DELETE FROM shelf \
WHERE label = 1")
    db.execute(
        "DELETE FROM shelf "
        'WHERE label = ? '  # a comment between
        r"AND note = '\n'"
    )
    db.execute(u"DELETE FROM shelf WHERE kind = 1")
    db.execute(b"DELETE FROM shelf WHERE kind = 2")
    db.execute("DELETE FROM shelf WHERE label = '\u00e9\x41'")
    db.execute("DELETE FROM regał WHERE 名前 = '日本' -- 😀")
    db.execute("DELETE FROM shelf " + "WHERE kind = 3")
    db.execute("DELETE FROM shelf " \
               "WHERE kind = 4")


# db.execute("SELECT 1 FROM a_comment")
def comments(db):
    """Deletes shelves.

    DELETE FROM shelf is what it does.
    """
    db.execute("SELECT '# no comment' FROM shelf")  # db.execute("SELECT 2 FROM a_comment")
    db.execute("SELECT a -- of SQL\nFROM shelf")
    db.execute("SELECT b FROM shelf")  # it's
    db.execute("SELECT c FROM shelf")


def prose(log):
    log.info("select one of %d shelves", 3)
    log.info("update the label")
    log.info("deleted from shelf")
    raise ValueError("Insert a coin")

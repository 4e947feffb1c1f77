def crates(db, rest, mark):
    db.execute(("SELECT crate FROM crates "
                "%s "
                "ORDER BY crate") % rest)
    db.execute(("SELECT mark FROM crates {}").format(rest))
    db.execute((("SELECT note FROM crates ") + rest))
    db.execute(*("DELETE FROM crates WHERE mark = ?", (mark,)))

"""A tool beside the program."""

import app


def clean():
    db.execute("DELETE FROM entry WHERE id = 4")
    app.for_tools()
    app.shared_with_tools()


clean()

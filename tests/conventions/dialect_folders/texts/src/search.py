SERVER = """
CREATE TABLE IF NOT EXISTS log_search (log INTEGER, line TEXT, words TSVECTOR);
CREATE INDEX log_search_words ON log_search USING gin(words);
"""

SQLITE = "CREATE TABLE IF NOT EXISTS log_search (log INTEGER, line TEXT)"


def create(connection, is_server):
    if is_server:
        for statement in SERVER.split(";"):
            connection.execute(statement)
        connection.execute("CREATE INDEX CONCURRENTLY log_search_log ON log_search (log)")
    else:
        connection.execute(SQLITE)
        connection.execute("CREATE INDEX IF NOT EXISTS log_search_log ON log_search (log)")


def lines(connection, log):
    return connection.execute("SELECT line FROM log_search WHERE log = ?", (log,))

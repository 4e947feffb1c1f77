import sqlite3

db = sqlite3.connect("store.db")
db.execute("CREATE TABLE IF NOT EXISTS folders (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
db.execute("CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name TEXT NOT NULL, meta INTEGER NOT NULL)")
db.execute("CREATE INDEX IF NOT EXISTS files_meta ON files (meta)")
db.execute("CREATE TABLE IF NOT EXISTS metas (id INTEGER PRIMARY KEY, block INTEGER NOT NULL)")
db.execute("CREATE TABLE IF NOT EXISTS blocks (id INTEGER PRIMARY KEY, digest TEXT NOT NULL)")
db.execute("CREATE INDEX IF NOT EXISTS blocks_digest ON blocks (digest)")
db.execute(
    "CREATE VIEW IF NOT EXISTS paths AS SELECT files.id AS id, folders.name || files.name AS path, files.meta AS meta "
    "FROM files, folders WHERE files.folder = folders.id"
)


def add(folder, name, meta):
    db.execute("INSERT INTO files (folder, name, meta) VALUES (?, ?, ?)", (folder, name, meta))


def longest():
    return db.execute("SELECT path FROM paths ORDER BY length(path) DESC LIMIT 1").fetchone()


def named(path):
    return db.execute("SELECT id FROM paths WHERE path = ?", (path,)).fetchone()


def of(digest):
    return db.execute(
        "SELECT paths.path FROM paths, metas, blocks WHERE paths.meta = metas.id AND metas.block = blocks.id AND blocks.digest = ?",
        (digest,),
    ).fetchall()

CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    notebook INTEGER NOT NULL,
    body TEXT NOT NULL,
    deleted_at INTEGER
);
CREATE INDEX notes_by_notebook ON notes (notebook);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

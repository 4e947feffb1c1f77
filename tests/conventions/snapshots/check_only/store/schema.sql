-- Compared with what the migrations make; no database is created with it.
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL, depth INTEGER);
CREATE TABLE migrations (id TEXT);

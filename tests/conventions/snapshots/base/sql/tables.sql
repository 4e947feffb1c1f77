CREATE TABLE config (keyname TEXT PRIMARY KEY, value TEXT);
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL, depth INTEGER);
INSERT INTO config (keyname, value) VALUES ('dbversion', '12');

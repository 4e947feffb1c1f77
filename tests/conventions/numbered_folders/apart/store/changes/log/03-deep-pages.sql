CREATE TABLE pages_new (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, depth INTEGER);
INSERT INTO pages_new SELECT id, entry, depth FROM pages;
DROP TABLE pages;
ALTER TABLE pages_new RENAME TO pages;

-- harbours
-- depends:
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL, name TEXT);
CREATE INDEX ships_by_harbour ON ships(harbour);

-- v1 -> v2: Add ships
CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL);

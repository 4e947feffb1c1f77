-- migrate:up
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- migrate:down
DROP TABLE harbours;

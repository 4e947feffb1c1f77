-- +migrate Up
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- +migrate Down
DROP TABLE harbours;

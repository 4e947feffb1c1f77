ALTER TABLE txs RENAME COLUMN size TO bytes;

CREATE TABLE outputs (
    outpoint BLOB NOT NULL PRIMARY KEY,
    address TEXT NOT NULL,
    height INTEGER NOT NULL,
    amount INTEGER NOT NULL
);
CREATE INDEX outputs_by_address ON outputs (address);

CREATE TABLE spends (
    tx INTEGER NOT NULL REFERENCES txs (id) ON DELETE CASCADE,
    input INTEGER NOT NULL,
    outpoint BLOB NOT NULL,
    PRIMARY KEY (tx, input)
);

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    tx INTEGER NOT NULL REFERENCES txs (id) ON DELETE CASCADE, -- finds: unindexed-foreign-key
    topic TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX events_by_topic ON events (topic, id);

UPDATE db_version SET version = 3;

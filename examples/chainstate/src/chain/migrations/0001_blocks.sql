CREATE TABLE db_version (version INTEGER NOT NULL);
INSERT INTO db_version (version) VALUES (1);

-- The block that the chain ends with; one row.
CREATE TABLE tip (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    hash BLOB NOT NULL,
    height INTEGER NOT NULL
);

CREATE TABLE blocks (
    hash BLOB NOT NULL PRIMARY KEY,
    parent BLOB NOT NULL,
    height INTEGER NOT NULL,
    header BLOB NOT NULL
);
-- Siblings of a block, for the choice between forks.
CREATE INDEX blocks_by_parent ON blocks (parent, height);

CREATE TABLE txs (
    id INTEGER PRIMARY KEY,
    txid BLOB NOT NULL UNIQUE,
    block BLOB NOT NULL REFERENCES blocks (hash) ON DELETE CASCADE,
    size INTEGER NOT NULL,
    raw BLOB NOT NULL
);
CREATE INDEX txs_by_block ON txs (block);

-- The same on every machine, and never changed.
CREATE TABLE checkpoints (height INTEGER NOT NULL, hash BLOB NOT NULL);
INSERT INTO checkpoints (height, hash) VALUES (100000, x'a1f0'), (200000, x'77c3'), (300000, x'0be9');

-- Blocks that have arrived and wait for their parents.
CREATE TABLE staging_blocks (
    hash BLOB NOT NULL PRIMARY KEY,
    parent BLOB NOT NULL,
    height INTEGER NOT NULL,
    received INTEGER NOT NULL,
    verified INTEGER NOT NULL DEFAULT 0,
    processed INTEGER NOT NULL DEFAULT 0
);
-- Few blocks are unverified at any time, and only they are in this index.
CREATE INDEX staging_unverified ON staging_blocks (received) WHERE verified = 0;

UPDATE db_version SET version = 2;

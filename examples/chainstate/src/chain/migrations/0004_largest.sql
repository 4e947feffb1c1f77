-- Written against the table as 0001 made it.
CREATE INDEX txs_by_size ON txs (size); -- finds: failing-migration

UPDATE db_version SET version = 4;

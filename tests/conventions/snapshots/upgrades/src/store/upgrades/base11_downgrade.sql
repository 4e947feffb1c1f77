DROP TABLE berths;
ALTER TABLE harbours DROP COLUMN depth;

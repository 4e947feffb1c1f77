ALTER TABLE harbours DROP COLUMN depth;

-- v2 -> v3: Add depths
ALTER TABLE harbours ADD COLUMN depth INTEGER;

ALTER TABLE harbours ADD COLUMN depth INTEGER;
UPDATE version SET number = 1;

ALTER TABLE %every_ship ADD COLUMN mast TEXT;
CREATE TABLE chart.sounds (depth INTEGER);
UPDATE version SET number = 10;

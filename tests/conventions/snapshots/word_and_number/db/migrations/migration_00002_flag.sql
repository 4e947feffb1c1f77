ALTER TABLE ship ADD COLUMN flag TEXT;
CREATE INDEX ship_flag ON ship (flag);

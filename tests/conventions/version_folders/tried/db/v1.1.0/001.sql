ALTER TABLE harbours RENAME COLUMN name TO title;

ALTER TABLE entries DROP COLUMN colour;

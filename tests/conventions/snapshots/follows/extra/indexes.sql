CREATE INDEX IF NOT EXISTS harbours_by_name ON harbours (name);

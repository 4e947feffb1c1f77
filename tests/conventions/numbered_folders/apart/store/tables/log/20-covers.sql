CREATE TABLE IF NOT EXISTS covers (colour TEXT);
CREATE INDEX IF NOT EXISTS pages_by_entry ON pages (entry);

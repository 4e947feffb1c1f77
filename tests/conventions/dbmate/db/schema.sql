CREATE TABLE IF NOT EXISTS "schema_migrations" (version varchar(128) primary key);
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL, depth INTEGER);
-- Dbmate schema migrations
INSERT INTO "schema_migrations" (version) VALUES
  ('20240101120000'),
  ('20240201120000');

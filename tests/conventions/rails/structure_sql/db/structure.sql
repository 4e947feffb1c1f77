CREATE TABLE IF NOT EXISTS "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
CREATE TABLE IF NOT EXISTS "harbours" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar NOT NULL, "depth" integer);
CREATE TABLE sqlite_sequence(name,seq);
CREATE INDEX "index_harbours_on_name" ON "harbours" ("name");
INSERT INTO "schema_migrations" (version) VALUES
('20240201000000'),
('20240101000000');

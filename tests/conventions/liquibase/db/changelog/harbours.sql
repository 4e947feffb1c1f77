--liquibase formatted sql

--changeset anna:1
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
--rollback DROP TABLE harbours;

--changeset ben:2
ALTER TABLE harbours ADD COLUMN depth INTEGER;
--rollback ALTER TABLE harbours DROP COLUMN depth;

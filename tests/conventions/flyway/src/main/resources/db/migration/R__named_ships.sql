DROP VIEW IF EXISTS named_ships;
CREATE VIEW named_ships AS SELECT id, name FROM ships WHERE name IS NOT NULL;

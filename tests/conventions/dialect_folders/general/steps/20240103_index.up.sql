CREATE INDEX ships_name ON ships(name);

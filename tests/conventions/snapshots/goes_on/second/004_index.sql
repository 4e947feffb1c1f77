CREATE INDEX ships_by_harbour ON ships (harbour);

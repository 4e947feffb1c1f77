CREATE INDEX ports_depth ON ports (depth);

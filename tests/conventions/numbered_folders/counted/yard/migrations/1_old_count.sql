CREATE TABLE IF NOT EXISTS old_count AS SELECT '' AS name, 0 AS at WHERE 0;
INSERT INTO steps_done SELECT name || '.sql', at FROM old_count;
DROP TABLE old_count;

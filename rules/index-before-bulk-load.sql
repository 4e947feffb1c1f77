-- Index made before its table is filled
-- severity: note
-- subject: migrations
--
-- An index that is there while a new table is filled from another one has to be kept in step with each row, each at
-- another place of its B-tree. One that is made afterwards is sorted once and written in order: on a large table that
-- takes a fraction of the time.
--
-- A unique index may be needed while the table is filled, to leave out what is there already.
--
-- remedy: Create the index after the INSERT.
--
-- ignore: Where the table that is copied has few rows.
WITH filling(variant, made, "table", last_name, ordinal, site, file, start, source) AS (
    SELECT made.variant, made.ordinal, made."table", made.last_name, filled.ordinal, filled.site, NULL, 0,
        migration_read."table"
    FROM table_step AS made
    JOIN table_step AS filled ON filled.variant = made.variant AND filled."table" = made."table"
        AND filled.ordinal > made.ordinal AND filled.kind IN ('insert', 'replace')
    JOIN migration_pair AS pair ON pair.first = made.migration AND pair.second = filled.migration
    JOIN migration_read ON migration_read.step = filled.step
    WHERE made.kind = 'create_table' AND made.outcome = 'done'
    UNION ALL
    -- A statement in the function that makes the table.
    SELECT made.variant, made.ordinal, made."table", made.last_name, NULL, statement.site, place.source, place.start,
        read."table"
    FROM table_step AS made
    JOIN migration ON migration.id = made.migration AND NOT migration.is_ordered
    JOIN site AS unit ON unit.id = migration.site
    JOIN write ON write."table" = made."table" AND write.action = 'insert' AND write.through IS NULL
    JOIN statement ON statement.id = write.statement AND statement.database = migration.database
    JOIN function ON function.id = statement.function AND function.name = migration.name
    JOIN site AS place ON place.id = statement.site AND place.source = unit.source AND place.start > unit.start
    JOIN read ON read.statement = statement.id AND read.through IS NULL
    -- What a foreign key looks at, the statement does not name.
    JOIN table_reference ON table_reference.statement = statement.id AND table_reference."table" = read."table"
    WHERE made.kind = 'create_table' AND made.outcome = 'done'
)
SELECT
    indexed.site,
    indexed.database,
    filling.last_name AS "table",
    printf('the index `%s` is created before `%s` is filled from `%s`, and so is written with each row', indexed.object,
        filling."table", filling.source) AS message,
    json_array(json_object('site', filling.site, 'message', 'filled here')) AS related
FROM filling
JOIN index_step AS indexed ON indexed.variant = filling.variant AND indexed."table" = filling."table"
    AND indexed.ordinal > filling.made AND (indexed.ordinal < filling.ordinal OR filling.ordinal IS NULL)
JOIN site AS place ON place.id = indexed.site
WHERE indexed.kind = 'create_index' AND indexed.outcome = 'done' AND NOT indexed.is_unique
  AND (filling.file IS NULL OR (place.source = filling.file AND place.start < filling.start))
  AND NOT EXISTS (
        SELECT 1 FROM index_step AS dropped
        WHERE dropped.variant = indexed.variant AND dropped.object = indexed.object AND dropped.kind = 'drop_index'
          AND dropped.ordinal > indexed.ordinal AND (dropped.ordinal < filling.ordinal OR filling.ordinal IS NULL))
  -- The rows come from a table that grows; of a table that is made anew, by the name that it has in the end.
  AND EXISTS (
        SELECT 1 FROM growing_table
        WHERE growing_table.database = indexed.database
          AND growing_table."table" IN (
                filling.source, iif(filling.last_name <> filling."table", filling.last_name, NULL)))
  -- What is asked of the new table while it is filled may need the index.
  AND NOT EXISTS (
        SELECT 1 FROM filling AS asking
        WHERE asking.variant = filling.variant AND asking.made = filling.made AND asking.site = filling.site
          AND asking.source = filling."table")
GROUP BY indexed.experiment

-- Schema that is not the same in all databases
-- severity: warning
-- subject: field
--
-- What creates a database and what brings an older one up to date lead to different schemas. Who tests with a new database
-- tests a program that most users do not run: a statement that names a column fails on theirs, a constraint that is
-- counted on is not there, an INSERT that names no columns puts values where they do not belong.
--
-- Names, white space and comments make no difference, and a UNIQUE constraint is its index. What an older database has
-- more, and nothing minds, is not reported. Where nothing depends on a difference, it is a note.
--
-- remedy: Bring the older databases to the declared schema by a migration, or the script that creates one to what the
-- migrations make. Releases that nobody updates from any more are left out by `releases` in planlint.toml.
--
-- ignore: Where no database of those releases is in use any more: leave them out with `releases` in planlint.toml.
WITH told AS (
    SELECT
        drift.*,
        CASE
            WHEN refers_there IS NOT NULL THEN printf('has the foreign key `%s` with %s, and not %s', object,
                refers_there, replace(substr(here, instr(here, 'REFERENCES')), ' ()', ''))
            WHEN property = 'exists' AND here IS NOT NULL
                THEN printf('lacks the %s `%s`', replace(object_kind, '_', ' '), object)
            WHEN property = 'exists' AND object_kind = 'column'
                THEN printf('has the column `%s` still, for which no INSERT gives a value', object)
            WHEN property = 'exists' THEN printf('has the %s `%s` still', replace(object_kind, '_', ' '), object)
            WHEN property = 'column_order' THEN printf('has the columns of `%s` in another order', object)
            WHEN property = 'primary_key' THEN printf('has another primary key in `%s`', object)
            WHEN property = 'rowid_alias' THEN printf('has another alias of the rowid in `%s`', object)
            WHEN there IS NULL THEN printf('has no %s of `%s`', replace(property, '_', ' '), object)
            WHEN here IS NULL THEN printf('has a %s of `%s`', replace(property, '_', ' '), object)
            WHEN here IN ('true', 'false') THEN printf('has `%s` %s %s', object, iif(there = 'true', 'with', 'without'),
                upper(replace(property, '_', ' ')))
            ELSE printf('has `%s` with %s %s', object, replace(property, '_', ' '), there) END AS words,
        -- 2: the program fails there; 1: something depends on it.
        CASE
            WHEN property = 'exists' AND here IS NOT NULL AND object_kind IN ('table', 'column', 'view') AND EXISTS (
                SELECT 1 FROM failing_there AS failing
                WHERE failing.database = drift.database AND failing.variant = drift.variant
                  AND failing.name IN (lower(drift.object), lower(drift."table" || '.' || drift.object))) THEN 2
            WHEN object_kind = 'column' AND property = 'exists' AND here IS NULL THEN EXISTS (
                SELECT 1 FROM write JOIN judged_statement AS judged ON judged.id = write.statement AND NOT judged.quiet
                WHERE judged.database = drift.database AND write."table" = drift."table" AND write.action = 'insert'
                  AND write.through IS NULL) * 2
            WHEN property = 'column_order' THEN EXISTS (
                SELECT 1 FROM write JOIN judged_statement AS judged ON judged.id = write.statement AND NOT judged.quiet
                WHERE judged.database = drift.database AND write."table" = drift."table" AND write.action = 'insert'
                  AND judged.positional AND judged.role <> 'migration' AND write.through IS NULL)
            WHEN property IN ('primary_key', 'rowid_alias', 'strict', 'without_rowid', 'affinity', 'collation', 'generated') THEN 1
            WHEN object_kind = 'index' THEN here IS NOT NULL AND (fresh OR here LIKE '%UNIQUE%')
            WHEN object_kind IN ('trigger', 'view') THEN here IS NOT NULL
            ELSE 0 END AS matters
    FROM (
        SELECT drift.*, (
            SELECT replace(substr(other.there, instr(other.there, 'REFERENCES')), ' ()', '')
            FROM drift AS other
            WHERE drift.object_kind = 'foreign_key' AND drift.here IS NOT NULL
              AND other.object_kind = 'foreign_key' AND other.here IS NULL AND other.property = 'exists'
              AND other.database = drift.database AND other.variant = drift.variant
              AND other."table" = drift."table" AND other.object = drift.object) AS refers_there
        FROM drift
    ) AS drift
    -- What is there twice, here and there, is one thing that is another: what is lacking says it.
    WHERE NOT (property = 'exists' AND here IS NULL AND (
        object_kind <> 'column' OR there NOT LIKE '%NOT NULL%' OR there LIKE '%DEFAULT%'))
      -- A table that no statement names is not missed.
      AND NOT (property = 'exists' AND object_kind = 'table' AND NOT EXISTS (
        SELECT 1 FROM table_reference JOIN judged_statement AS judged ON judged.id = table_reference.statement
        WHERE judged.database = drift.database AND judged.role <> 'migration' AND table_reference."table" = drift."table"))
      AND NOT (property = 'column_order' AND NOT EXISTS (
        SELECT 1 FROM table_reference JOIN judged_statement AS judged ON judged.id = table_reference.statement
        WHERE judged.database = drift.database AND judged.positional AND judged.role <> 'migration'
          AND table_reference."table" = drift."table"))
      AND NOT EXISTS (
        SELECT 1 FROM missing_index
        WHERE missing_index.database = drift.database AND missing_index."table" = drift."table"
          AND missing_index.object = drift.object AND missing_index.fresh = drift.fresh)
),
counted AS (
    -- What fails is one cause: the database is not brought up to date. What else differs is told for each table.
    SELECT *, row_number() OVER (
            PARTITION BY database, fresh, iif(matters = 2, '', "table")
            ORDER BY matters DESC, here IS NULL, releases DESC, object_kind = 'table' DESC, "table", object, property) AS number,
        count(*) OVER (PARTITION BY database, fresh, iif(matters = 2, '', "table")) AS differences
    FROM told
)
SELECT
    site,
    database,
    variant,
    "table",
    printf('%s %s%s%s', who, words,
        CASE WHEN differences = 1 THEN ''
             ELSE printf(', and %s %d more', iif(matters = 2, 'differs in', printf('`%s` differs in', "table")),
                 differences - 1) END,
        CASE WHEN failing = 0 THEN '' WHEN failing = 1 THEN ': a statement fails there'
             ELSE printf(': %d statements fail there', failing) END) AS message,
    iif(matters AND (SELECT complete FROM database WHERE database.id = counted.database), NULL, 'note') AS severity,
    (SELECT json_group_array(json_object('site', site, 'message', 'fails there: ' || message))
     FROM (SELECT site, message FROM failing_there
           WHERE failing_there.variant = counted.variant AND counted.matters = 2
             AND failing_there.name IN (lower(counted.object), lower(counted."table" || '.' || counted.object))
           ORDER BY statement LIMIT 5)) AS related
FROM (
    SELECT counted.*, (
        SELECT count(DISTINCT statement) FROM failing_there
        WHERE failing_there.database = counted.database AND counted.matters = 2
          AND failing_there.fresh = counted.fresh) AS failing
    FROM counted
    WHERE number = 1
) AS counted

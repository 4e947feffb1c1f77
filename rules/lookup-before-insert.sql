-- Lookup of a key before its insert
-- severity: note
-- subject: loops
--
-- The program asks whether a row with this key is there, and inserts one if it is not. The key is unique, so the insert
-- finds that out by itself: the lookup is a second search of the same index, and between the two another connection may
-- insert the row.
--
-- remedy: Insert with `ON CONFLICT (…) DO NOTHING`, or `DO UPDATE` where the row is to be changed; the number of rows
-- changed, or `RETURNING`, tells what happened.
--
-- ignore: Where the row that is there decides about more than the insert.
SELECT
    asked.site,
    asked.id AS statement,
    asked.database,
    keyed."table",
    printf('`%s` is searched for a key before `%s` inserts it; INSERT … ON CONFLICT needs no lookup',
        keyed."table", function.name) AS message,
    (SELECT printf('In one statement, which SQLite accepts on this schema: `%s`. The number of rows changed, or RETURNING, '
        || 'tells whether the row is new.', instead.text)
     FROM instead
     WHERE instead.statement = inserted.id AND instead.kind = 'upsert' AND instead.width = keyed.width
       AND instead.width = (
            SELECT count(*) FROM unique_key_column AS part
            WHERE part.variant = keyed.variant AND part.key = keyed.key
              AND instr(', ' || lower(instead.key) || ', ', ', ' || lower(part.column) || ', '))) AS help,
    json_array(json_object('site', inserted.site, 'message', 'the insert')) AS related
FROM live_statement AS asked
JOIN function ON function.id = asked.function AND function.role = 'production'
JOIN live_statement AS inserted ON inserted.function = asked.function AND inserted.database = asked.database
    AND inserted.kind = 'insert'
JOIN site AS asks ON asks.id = asked.site
JOIN site AS inserts ON inserts.id = inserted.site AND inserts.source = asks.source AND inserts.start > asks.start
JOIN (
    -- The unique key whose columns the lookup compares, and nothing else.
    SELECT unique_key.*, lookup.id AS statement
    FROM live_statement AS lookup
    JOIN base_variant ON base_variant.database = lookup.database
    JOIN table_reference AS named ON named.statement = lookup.id
    JOIN unique_key ON unique_key.variant = base_variant.variant AND unique_key."table" = named."table"
    WHERE lookup.kind = 'select'
      AND (SELECT count(*) FROM table_reference WHERE table_reference.statement = lookup.id) = 1
      AND unique_key.width = (
            SELECT count(DISTINCT predicate.column) FROM predicate
            JOIN unique_key_column AS part ON part.key = unique_key.key AND part.variant = unique_key.variant
                AND part.column = predicate.column
            WHERE predicate.statement = lookup.id AND predicate.clause = 'where' AND predicate.operator IN ('=', '==')
              AND predicate.value = 'parameter')
      AND unique_key.width = (
            SELECT count(*) FROM predicate WHERE predicate.statement = lookup.id AND predicate.clause = 'where')
      -- It looks for no more than whether the row is there, or its key.
      AND NOT EXISTS (
            SELECT 1 FROM read
            WHERE read.statement = lookup.id AND read."table" = unique_key."table" AND read.column <> ''
              AND read.column NOT IN (
                    SELECT part.column FROM unique_key_column AS part
                    WHERE part.variant = unique_key.variant AND part.key = unique_key.key))
) AS keyed ON keyed.statement = asked.id
WHERE EXISTS (SELECT 1 FROM write WHERE write.statement = inserted.id AND write."table" = keyed."table"
              AND write.through IS NULL)
  AND inserted.text_key NOT LIKE '%ON CONFLICT%' AND inserted.text_key NOT LIKE 'INSERT OR %'
  -- The same key: all of its columns are given by the insert.
  AND keyed.width = (
        SELECT count(DISTINCT parameter.column) FROM parameter
        JOIN unique_key_column AS part ON part.key = keyed.key AND part.variant = keyed.variant
            AND part.column = parameter.column
        WHERE parameter.statement = inserted.id AND parameter."table" = keyed."table")
GROUP BY asked.site
HAVING inserts.start = min(inserts.start)

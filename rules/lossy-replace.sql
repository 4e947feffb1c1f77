-- REPLACE that forgets a column
-- severity: note
-- subject: losses
--
-- REPLACE and INSERT OR REPLACE delete the row that has the key already, and insert another one: a column that the statement does
-- not name has its default again, and what another statement wrote there is lost. Nothing fails.
--
-- Silent where no caller gives the key, or the table has several, of which another row may go than the one that is saved, as it
-- shall. Where no statement reads the column, or the one that writes it writes a literal. Where its DEFAULT is the time. Where the same
-- function reads, changes or deletes rows of the table as well, as it may where they are there already; and where one that its caller
-- calls writes the column again.
--
-- remedy: `INSERT … ON CONFLICT (…) DO UPDATE SET …`, which leaves alone what it does not name.
--
-- ignore: Where the column shall be empty again.
WITH lost AS MATERIALIZED (
    SELECT statement.id AS statement, statement.site, statement.function, statement.database, left_out."table",
        left_out.column
    FROM live_statement AS statement
    JOIN left_out ON left_out.statement = statement.id
    JOIN base_variant ON base_variant.database = statement.database
    WHERE statement.kind = 'replace' AND NOT statement.guessed
      AND 1 = (SELECT count(DISTINCT (SELECT group_concat(own.column) FROM (
                    SELECT lower(part.column) AS column FROM unique_key_column AS part
                    WHERE part.variant = unique_key.variant AND part.key = unique_key.key ORDER BY 1) AS own))
               FROM unique_key
               WHERE unique_key.variant = base_variant.variant AND unique_key."table" = left_out."table")
      AND NOT EXISTS (
            SELECT 1 FROM live_statement AS beside
            JOIN table_reference ON table_reference.statement = beside.id AND table_reference."table" = left_out."table"
            WHERE beside.function = statement.function AND beside.kind IN ('select', 'update', 'delete'))
      AND NOT EXISTS (
            SELECT 1 FROM schema_table
            JOIN column ON column.schema_table = schema_table.id AND column.name = left_out.column
            WHERE schema_table.variant = base_variant.variant AND schema_table.name = left_out."table"
              AND column.default_value LIKE '%current_%')
      AND EXISTS (
            SELECT 1 FROM given_key
            WHERE given_key.statement = statement.id AND given_key.variant = base_variant.variant
              AND given_key."table" = left_out."table")
      AND EXISTS (
            SELECT 1 FROM live_statement AS reader
            JOIN read ON read.statement = reader.id AND read."table" = left_out."table" AND read.column = left_out.column
            WHERE reader.database = statement.database AND reader.kind = 'select')
), written AS MATERIALIZED (
    SELECT lost.*, writer.site AS writes, writer.function AS by_function
    FROM lost
    JOIN live_statement AS writer ON writer.database = lost.database AND writer.kind = 'update'
    JOIN predicate ON predicate.statement = writer.id AND predicate.clause = 'set' AND predicate."table" = lost."table"
        AND predicate.column = lost.column AND predicate.value IS NOT 'literal'
)
SELECT
    written.site,
    written.statement,
    written.database,
    written."table",
    printf('where a row of `%s` has the key already, this REPLACE loses its %s: it leaves %s out', written."table",
        replace(group_concat(DISTINCT '`' || written.column || '`'), ',', ', '),
        iif(count(DISTINCT written.column) = 1, 'the column', 'these columns')) AS message,
    'Write `INSERT … ON CONFLICT (…) DO UPDATE SET …`, which changes the columns that it names and no other.' AS help,
    json_array(json_object('site', min(written.writes), 'message', 'this writes it')) AS related
FROM written
WHERE NOT EXISTS (
        SELECT 1 FROM written AS again
        WHERE again.statement = written.statement AND again.column = written.column
          AND (again.by_function = written.function
               OR EXISTS (SELECT 1 FROM call AS one JOIN call AS other ON other.caller = one.caller
                          WHERE one.callee = written.function AND other.callee = again.by_function)))
GROUP BY written.statement, written."table"

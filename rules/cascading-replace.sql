-- REPLACE that deletes rows of other tables
-- severity: warning
-- subject: losses
--
-- REPLACE and INSERT OR REPLACE delete the row that has the key already, and insert another one. Where foreign keys are enforced,
-- ON DELETE CASCADE takes the rows of other tables along that refer to it, and SET NULL empties their columns: each time that a row
-- is saved anew, what belonged to it is gone. Nothing fails.
--
-- It is a note where the table has several unique keys: another row may go than the one that is saved, as it shall.
-- Silent where no caller gives the key, and where the function, or one that its caller calls as well, puts rows into the other
-- table: it may put them in again.
--
-- remedy: `INSERT … ON CONFLICT (…) DO UPDATE SET …`, which changes the row and deletes none. Or an UPDATE.
--
-- ignore: Where the rows that refer to it shall go.
WITH replacing AS MATERIALIZED (
    SELECT statement.id AS statement, statement.site, statement.function, statement.database, write."table",
        foreign_key."table" AS child, foreign_key.on_delete, foreign_key.site AS declared,
        -- A primary key that is none of the rowid is a key of the table, and of an index.
        (SELECT count(DISTINCT (SELECT group_concat(own.column) FROM (
            SELECT lower(part.column) AS column FROM unique_key_column AS part
            WHERE part.variant = unique_key.variant AND part.key = unique_key.key ORDER BY 1) AS own))
         FROM unique_key
         WHERE unique_key.variant = base_variant.variant AND unique_key."table" = write."table") AS keys
    FROM live_statement AS statement
    JOIN write ON write.statement = statement.id AND write.through IS NULL AND write.action = 'insert'
    JOIN database ON database.id = statement.database AND database.foreign_keys
    JOIN base_variant ON base_variant.database = statement.database
    JOIN foreign_key ON foreign_key.variant = base_variant.variant AND foreign_key.parent = write."table"
        AND foreign_key."table" <> write."table"
        AND foreign_key.on_delete IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
    WHERE statement.kind = 'replace'
      -- Without a key that the caller gives, no row is there already.
      AND EXISTS (
            SELECT 1 FROM given_key
            WHERE given_key.statement = statement.id AND given_key.variant = base_variant.variant AND given_key."table" = write."table")
), filling AS MATERIALIZED (
    SELECT DISTINCT replacing.statement, replacing.child, filler.function
    FROM replacing
    JOIN live_statement AS filler ON filler.database = replacing.database AND filler.id <> replacing.statement
    JOIN write ON write.statement = filler.id AND write."table" = replacing.child AND write.action = 'insert'
)
SELECT
    replacing.site,
    replacing.statement,
    replacing.database,
    replacing."table",
    printf('where a row of `%s` has the key already, it is deleted first%s%s', replacing."table",
        coalesce(', and with it its rows of '
            || replace(group_concat(DISTINCT iif(replacing.on_delete = 'CASCADE', '`' || replacing.child || '`', NULL)), ',', ', '), ''),
        coalesce(', and lost to its rows of '
            || replace(group_concat(DISTINCT iif(replacing.on_delete = 'CASCADE', NULL, '`' || replacing.child || '`')), ',', ', '), '')
    ) AS message,
    iif(max(replacing.keys) > 1, 'note', NULL) AS severity,
    json_array(json_object('site', min(replacing.declared), 'message', 'this says so')) AS related
FROM replacing
WHERE EXISTS (SELECT 1 FROM filling WHERE filling.statement = replacing.statement AND filling.child = replacing.child)
  AND NOT EXISTS (
        SELECT 1 FROM filling
        WHERE filling.statement = replacing.statement AND filling.child = replacing.child
          AND (filling.function = replacing.function
               OR EXISTS (SELECT 1 FROM call AS one JOIN call AS other ON other.caller = one.caller
                          WHERE one.callee = replacing.function AND other.callee = filling.function)))
GROUP BY replacing.statement, replacing."table"

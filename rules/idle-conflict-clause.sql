-- Conflict clause that nothing can set off
-- severity: warning
-- subject: statements
--
-- `ON CONFLICT DO NOTHING`, `OR IGNORE` and `OR REPLACE` act where a row would break a PRIMARY KEY, a UNIQUE index or
-- another constraint. The table has none that this statement could break: SQLite compiles the same program without the
-- clause. Who wrote it expects that a row which is there already is left alone or replaced; instead it comes twice, and
-- the table grows with each run.
--
-- Silent where the clause can act on something else: on a NOT NULL, on a CHECK, on a rowid that the statement gives, or
-- on what a trigger of the table does.
--
-- It is a note where the same function deletes rows of the table before.
--
-- remedy: A UNIQUE index on the columns that tell one row from another, once the rows that came twice are deleted; or
-- leave the clause out.
--
-- ignore: Where the same row never comes twice: the clause is idle then, and does no harm.
SELECT
    judged.site,
    judged.id AS statement,
    judged.database,
    write."table",
    printf('`%s` does nothing here: no key and no constraint of `%s` can conflict with a new row, so that the same row '
        || 'comes twice%s', judged.idle_clause, write."table",
        iif(emptied.first IS NULL, '', ' where what is put in has it twice: those from before are deleted first')) AS message,
    printf('without it the statement does the same; what was meant takes a UNIQUE index of `%s`', write."table") AS help,
    iif(judged.quiet OR emptied.first IS NOT NULL, 'note', NULL) AS severity
FROM judged_statement AS judged
JOIN database ON database.id = judged.database AND database.complete
JOIN write ON write.statement = judged.id AND write.action = 'insert' AND write.through IS NULL
-- The same function deletes before, by what its caller gives, or all.
LEFT JOIN (
    SELECT min(deleting.id) AS first, deleting.function, deleting.database, gone."table"
    FROM statement AS deleting
    JOIN write AS gone ON gone.statement = deleting.id AND gone.action = 'delete' AND gone.through IS NULL
    WHERE deleting.kind = 'delete'
    GROUP BY deleting.function, deleting.database, gone."table"
) AS emptied ON emptied.function = judged.function AND emptied.database = judged.database
    AND emptied."table" = write."table" AND emptied.first < judged.id
WHERE judged.idle_clause IS NOT NULL AND judged.role <> 'migration'
  -- A name that is computed may mean a table with a key as well.
  AND NOT EXISTS (
        SELECT 1 FROM statement AS other
        JOIN write AS others ON others.statement = other.id AND others.action = 'insert' AND others.through IS NULL
        WHERE other.site = judged.site AND others."table" <> write."table")
  AND NOT EXISTS (
        SELECT 1 FROM unique_key_column AS part
        JOIN variant ON variant.id = part.variant
        WHERE part."table" = write."table" AND (write.schema = 'main' OR variant.database <> judged.database))
GROUP BY judged.id, write."table"

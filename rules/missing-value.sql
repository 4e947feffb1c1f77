-- INSERT without a value that must be there
-- severity: warning
-- subject: statements
--
-- A column is NOT NULL and has no DEFAULT, and the INSERT leaves it out or gives it NULL. SQLite fills in nothing: the
-- statement fails for each row, whatever its parameters are, and with OR IGNORE it adds none and says nothing.
--
-- That is so wherever the statement runs: at start-up and in a tool as well.
--
-- Silent where the columns that the program names are not known, where a trigger runs before the rows go in, and for a
-- table that another database has with a default.
--
-- remedy: Name the column and give it a value, or declare a DEFAULT.
SELECT
    judged.site,
    judged.id AS statement,
    judged.database,
    missing."table",
    printf('this INSERT %s: it gives %s of `%s` no value, and %s NOT NULL without a default',
        iif(max(missing.silent), 'adds no row, and says nothing', 'fails for each row'),
        group_concat('`' || missing.column || '`', ', '), missing."table",
        iif(count(*) = 1, 'that is', 'these are')) AS message,
    iif(judged.role = 'dead' OR judged.guessed, 'note', NULL) AS severity
FROM judged_statement AS judged
JOIN missing_value AS missing ON missing.statement = judged.id
WHERE judged.role <> 'migration'
  AND NOT EXISTS (
        SELECT 1 FROM trigger
        JOIN variant ON variant.id = trigger.variant
        WHERE variant.database = judged.database AND trigger."table" = missing."table")
  -- On which database a statement runs is told by its tables alone.
  AND NOT EXISTS (
        SELECT 1 FROM schema_table
        JOIN variant ON variant.id = schema_table.variant
        WHERE variant.database <> judged.database AND schema_table.name = missing."table"
          AND NOT EXISTS (
                SELECT 1 FROM column
                WHERE column.schema_table = schema_table.id AND column.name = missing.column
                  AND column.not_null AND column.default_value IS NULL))
GROUP BY judged.id, missing."table"

-- Trigger that writes all rows of a table
-- severity: warning
-- subject: losses
--
-- A trigger runs for one row, and its UPDATE or DELETE is a statement like any other: it writes each row that its WHERE is
-- true of. A WHERE that asks for `OLD` and `NEW` alone is true of all rows or of none, so that a change of one row overwrites
-- the others, too, and takes the longer the more there are. What was meant is the row with the key of `NEW`.
--
-- remedy: Name the row in the WHERE: `AND id = NEW.id`.
--
-- ignore: Where all rows are meant, as of a table with a single one.
SELECT
    trigger.site,
    base_variant.database,
    trigger."table",
    printf('the trigger `%s` writes all rows of `%s` %s: its WHERE asks for values of that row alone',
        trigger.name, trigger.whole,
        CASE trigger.event WHEN 'INSERT' THEN 'for one row that is inserted' WHEN 'DELETE' THEN 'for one row that is deleted'
             ELSE 'for one row that is updated' END) AS message,
    printf('say in the WHERE which row is meant, by its key: `AND id = %s.id`', iif(trigger.event = 'DELETE', 'OLD', 'NEW')) AS help,
    iif(growing_table.quiet IS NOT 0, 'note', NULL) AS severity
FROM trigger
JOIN base_variant ON base_variant.variant = trigger.variant
LEFT JOIN growing_table ON growing_table.database = base_variant.database AND growing_table."table" = trigger.whole
-- What counts, or keeps one row of settings, means all of them.
WHERE trigger.whole = trigger."table" OR growing_table.table_size IS NOT NULL

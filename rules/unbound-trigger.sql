-- Trigger that updates all rows of a table
-- severity: warning
-- subject: losses
--
-- A trigger runs for one row, and its UPDATE is a statement like any other: it changes each row that its WHERE is true of. A
-- WHERE that asks for `OLD` and `NEW` alone is true of all rows or of none, so that a change of one row overwrites the others,
-- too, and takes the longer the more there are. What was meant is the row with the key of `NEW`.
--
-- remedy: Name the row in the WHERE: `AND rowid = NEW.rowid`.
--
-- ignore: Where all rows are meant, as of a table with a single one.
SELECT
    trigger.site,
    base_variant.database,
    trigger."table",
    printf('the trigger `%s` updates all rows of `%s` for one row that is %s: its WHERE asks for values of that row alone',
        trigger.name, trigger.whole,
        CASE trigger.event WHEN 'INSERT' THEN 'inserted' WHEN 'DELETE' THEN 'deleted' ELSE 'updated' END) AS message,
    iif(trigger.whole = trigger."table", 'say in the WHERE which row is meant: `AND rowid = NEW.rowid`',
        printf('say in the WHERE which rows of `%s` are meant, by a column of it', trigger.whole)) AS help,
    iif(growing_table.quiet = 0 AND trigger.whole = trigger."table", NULL, 'note') AS severity
FROM trigger
JOIN base_variant ON base_variant.variant = trigger.variant
LEFT JOIN growing_table ON growing_table.database = base_variant.database AND growing_table."table" = trigger.whole
-- Of another table all may be meant, as where what is kept of it is out of date; of a small one that is no loss.
WHERE trigger.whole = trigger."table" OR growing_table.table_size IS NOT NULL

-- Migration that fails on rows
-- severity: error
-- subject: migrations
--
-- The step works on empty tables, as in a test, and was refused where there were rows. A user's database has rows: the
-- program stops there while it opens it, each time anew. ALTER TABLE looks at the rows of a table for a column that is
-- NOT NULL or has a default that is no constant; a DROP TABLE deletes all rows first, which foreign keys forbid; a unique
-- index looks for values that come twice.
--
-- It is a warning where only some rows are in the way: values that come twice, NULL. It is a note where text stands in a
-- column for numbers.
--
-- remedy: Give a new column a constant default, or make the table anew, copy its rows and give it the old name. Delete or
-- mend the rows that are in the way before the step, in the same migration.
--
-- ignore: Where the program has seen to it that no database has such rows.
SELECT
    tried.site,
    tried.database,
    tried."table",
    printf('this step fails %s: %s',
        CASE tried.rows
            WHEN 'duplicates' THEN 'where values come twice'
            WHEN 'nulls' THEN 'where a value is NULL'
            WHEN 'types' THEN 'where text stands in a column for numbers'
            ELSE 'where the table has rows' END,
        tried.message) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already, and databases past it are not hurt; mend the rows of older databases before the migrations run', tried.released_in),
        CASE
        WHEN tried.rows = 'duplicates' THEN 'before it, let what refers to such rows refer to one of them, and delete the others'
        WHEN tried.rows = 'nulls' THEN 'before it, give them a value: `UPDATE … SET … WHERE … IS NULL`'
        WHEN tried.rows = 'types' THEN 'before it, mend the rows whose `typeof()` is not that of the column'
        WHEN tried.message LIKE '%FOREIGN KEY%' THEN
            'set `PRAGMA foreign_keys = OFF` before the transaction that makes the table anew, and look with '
            || '`PRAGMA foreign_key_check` after it'
        WHEN tried.message LIKE '%NOT NULL%' OR tried.message LIKE '%default%'
            THEN 'give the column a constant default, and fill it with an UPDATE after it'
        WHEN tried.message LIKE '%STORED%' THEN 'make the column VIRTUAL, or make the table anew'
        ELSE 'let the migration mend the rows before it' END) AS help,
    iif(tried.released_in IS NULL,
        CASE WHEN tried.rows = 'types' OR tried.step IN (SELECT step FROM mended_step) THEN 'note' WHEN tried.rows IN ('duplicates', 'nulls') THEN 'warning' END,
        CASE WHEN tried.rows = 'plain' THEN 'warning' ELSE 'note' END) AS severity
FROM row_experiment AS tried
WHERE tried.kind = 'seeded' AND tried.outcome = 'failed'
  -- What fails on any rows says no more for some of them.
  AND (tried.rows = 'plain' OR NOT EXISTS (
        SELECT 1 FROM row_experiment AS other
        WHERE other.step = tried.step AND other.kind = 'seeded' AND other.rows = 'plain' AND other.outcome = 'failed'))
UNION ALL
SELECT
    tried.site, tried.database, tried."table",
    printf('this migration leaves a database that is not sound: %s', loss.text),
    iif(tried.released_in IS NOT NULL, printf('%s has run it already, and databases past it are not hurt; mend the rows of older databases before the migrations run', tried.released_in),
        'mend the rows before this step'),
    tried.quieter_error
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'integrity'
GROUP BY tried.step

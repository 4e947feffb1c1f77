-- Migration that loses the values of a column
-- severity: error
-- subject: losses
--
-- The migration was run on rows. They are all there after it, and one of their columns is NULL or its default
-- everywhere: the copy into the new table does not name it, or ON DELETE SET NULL emptied it when the table that it refers
-- to was dropped.
--
-- It is a warning where the new table has a default for the column: that may be meant; and a note where a later migration
-- drops the table for good.
--
-- remedy: Name the column in the copy, on both sides. Turn foreign keys off before a table is made anew.
--
-- ignore: Where the column is meant to start anew.
SELECT
    tried.site,
    tried.database,
    loss."table",
    printf('this migration loses the values of `%s` in `%s`: after it, they are all %s', loss.object, loss."table",
        coalesce('`' || loss.text || '`', 'NULL')) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: let a new migration fill `%s` from where its values can be had again', tried.released_in, loss.object),
        iif(migration_step.kind IN ('insert', 'replace'),
        printf('name `%s` in the columns of the INSERT and of its SELECT', loss.object),
        'set `PRAGMA foreign_keys = OFF` before the transaction begins')) AS help,
    -- Who gives the column a default may mean it.
    CASE WHEN loss.id IN (SELECT loss FROM dropped_loss) THEN 'note'
        WHEN loss.text IS NOT NULL THEN iif(tried.released_in IS NULL, 'warning', 'note')
        WHEN tried.released_in IS NOT NULL THEN 'warning' END AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
JOIN migration_step ON migration_step.id = tried.step
WHERE loss.kind = 'values'

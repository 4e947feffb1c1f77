-- Migration that swaps the values of columns
-- severity: error
-- subject: losses
--
-- The migration was run on rows that have another value in each column. After it, a column holds what another one held:
-- the rows were copied by the place of their columns, and the new table has them in another order. SQLite takes any value
-- in any column, so nothing fails.
--
-- remedy: Name the columns on both sides: `INSERT INTO new (a, b) SELECT a, b FROM old`.
--
-- ignore: Where the columns change their meaning on purpose.
SELECT
    tried.site,
    tried.database,
    loss."table",
    printf('this migration puts values of `%s` into another column: %s', loss."table",
        group_concat(printf('`%s` gets those of `%s`', loss.object, loss.text), ', ' ORDER BY loss.object)) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: let a new migration put the values of `%s` back, where they came by this way', tried.released_in, loss."table"),
        'name the columns in the INSERT and in its SELECT, in the same order') AS help,
    tried.quieter_error AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'swapped'
GROUP BY tried.experiment, loss."table"

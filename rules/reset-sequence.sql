-- AUTOINCREMENT that gives out old numbers again
-- severity: warning
-- subject: losses
--
-- AUTOINCREMENT promises that no number comes twice, also not one whose row is gone. SQLite keeps the highest number by the
-- name of the table. Where a migration makes the table anew and copies its rows, the new one knows only the highest of
-- those that are left: the next row gets a number that another one had. Who kept that number, as a log or a sync peer
-- does, takes it for the old row. It is a note where a later migration drops the table for good.
--
-- remedy: After the copy, set the number: `UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name =
-- 'old') WHERE name = 'new'`.
--
-- ignore: Where nobody keeps these ids outside of the database.
SELECT
    tried.site,
    tried.database,
    loss."table",
    printf('`%s` is rebuilt, and its AUTOINCREMENT falls back (here from %s): ids of deleted rows are given out again',
        loss."table", loss.text) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: let a new migration set the number of `%s` in sqlite_sequence above any that was given',
            tried.released_in, loss."table"),
        'before the old table is dropped, give its number to the new one: `UPDATE sqlite_sequence SET seq = (SELECT seq FROM '
            || 'sqlite_sequence WHERE name = ''old'') WHERE name = ''new''`, with the names that the two have there') AS help,
    iif(loss.id IN (SELECT loss FROM dropped_loss), 'note', tried.quieter_warning) AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'sequence'

-- AUTOINCREMENT that begins again
-- severity: warning
--
-- AUTOINCREMENT promises that no number comes twice, also not one whose row is gone. SQLite keeps the highest number by the
-- name of the table. Where a migration makes the table anew and copies its rows, the new one knows only the highest of
-- those that are left: the next row gets a number that another one had. Who kept that number, as a log or a sync peer
-- does, takes it for the old row.
--
-- remedy: Behind the copy, set the number: `UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name =
-- 'old') WHERE name = 'new'`.
SELECT
    tried.site,
    tried.database,
    loss."table",
    printf('`%s` is made anew, and its AUTOINCREMENT falls back (here from %s): numbers of deleted rows are given again',
        loss."table", loss.text) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has it already: let a new migration set the number of `%s` in sqlite_sequence above any that was given',
            tried.released_in, loss."table"),
        printf('before the old table is dropped: `UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE '
            || 'name = ''%s'') WHERE name = …`, with the name of the new one', loss."table")) AS help,
    tried.quieter_warning AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'sequence'

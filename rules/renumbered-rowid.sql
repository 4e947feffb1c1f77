-- Rowids that a rebuild of the table changes
-- severity: warning
-- subject: losses
--
-- The table has no INTEGER PRIMARY KEY: its rows are known by a hidden rowid alone. A copy into a new table gives them new
-- ones. What goes by the old ones then finds other rows: a full-text index with `content=`, a trigger that names `rowid`,
-- an id that the program has kept.
--
-- Nothing is said of a table with a key of its own whose rowids nothing goes by.
--
-- remedy: Copy the rowid: `INSERT INTO new (rowid, a, b) SELECT rowid, a, b FROM old`.
SELECT
    tried.site,
    tried.database,
    loss."table",
    printf('`%s` is rebuilt, and its rows get other rowids (here %s)%s', loss."table", loss.text,
        coalesce(', by which `' || loss.object || '` finds them', '')) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: let a new migration rebuild what goes by the rowids, such as a full-text index', tried.released_in),
        'copy `rowid` as the first column of the INSERT and of its SELECT') AS help,
    tried.quieter_warning AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'rowid'

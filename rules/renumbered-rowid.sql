-- Rowids that a rebuild of the table changes
-- severity: warning
-- subject: losses
--
-- The table has no INTEGER PRIMARY KEY: its rows are known by a hidden rowid alone. A copy into a new table gives them new
-- ones. What goes by the old ones then finds other rows: a full-text index with `content=`, a trigger that names `rowid`,
-- an id that the program has kept.
--
-- It is a note where statements of the program use the table and none reads its rowids, no code asks for that of a row which it
-- inserts, and nothing of the schema goes by them; and where a later migration drops the table for good.
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
    CASE WHEN loss.id IN (SELECT loss FROM dropped_loss) THEN 'note'
        WHEN loss.object IS NULL AND EXISTS (
            SELECT 1 FROM statement JOIN table_reference ON table_reference.statement = statement.id
            WHERE statement.database = tried.database AND statement.role NOT IN ('test', 'migration')
              AND table_reference."table" = loss."table")
            AND NOT EXISTS (
            SELECT 1 FROM rowid_user WHERE rowid_user.database = tried.database AND rowid_user."table" = loss."table")
        THEN 'note'
        ELSE tried.quieter_warning END AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'rowid'

-- Migration that loses rows
-- severity: error
-- subject: losses
--
-- The migration was run on rows, and some were gone after it, of a table that it says nothing of or whose rows it copies.
-- A DROP TABLE deletes the rows of the table first: where foreign keys are enforced, ON DELETE CASCADE takes those that
-- refer to it along, and so does a REPLACE of its rows. `PRAGMA foreign_keys = OFF` does not help within a transaction, where it does nothing.
--
-- A DELETE, a copy with a WHERE, a JOIN, a LIMIT or OR IGNORE, and a table that is dropped for good mean it, and are not
-- reported. It is a note where a later migration drops the table for good.
--
-- remedy: Turn foreign keys off before the transaction begins, or copy the rows of the other tables aside as well. Give
-- the new table all rows of the old one.
--
-- ignore: Where the rows are meant to go: a DELETE says so, and is not reported.
SELECT
    tried.site,
    tried.database,
    loss."table",
    CASE
        WHEN loss.object IS NOT NULL THEN printf(
            '%s `%s` deletes %s rows of `%s`: foreign keys are enforced, and they refer to it',
            iif(migration_step.kind = 'replace', 'replacing rows of', 'dropping'), loss.object, loss.text, loss."table")
        ELSE printf('this migration loses %s rows of `%s`', loss.text, loss."table") END AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: let a new migration fill `%s` from where its rows can be had again', tried.released_in, loss."table"),
        iif(loss.object IS NOT NULL, iif(migration_step.kind = 'replace',
        'say `INSERT … ON CONFLICT DO UPDATE`, which deletes no row',
        'set `PRAGMA foreign_keys = OFF` before the transaction that makes `' || loss.object || '` anew begins'),
        'copy all rows of `' || loss."table" || '` before it is dropped')) AS help,
    iif(loss.id IN (SELECT loss FROM dropped_loss), 'note', tried.quieter_error) AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
JOIN migration_step ON migration_step.id = tried.step
WHERE loss.kind = 'rows' AND tried.kind = 'seeded'

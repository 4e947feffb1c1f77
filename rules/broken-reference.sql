-- Foreign keys that lead nowhere after a migration
-- severity: warning
-- subject: losses
--
-- The migration was run on rows whose foreign keys all found their row. After it, `PRAGMA foreign_key_check` names some
-- that do not: the table that they refer to is gone, or has another name, or lost rows. Where foreign keys are not
-- enforced, nothing says so; where they are, the next write to such a row fails.
--
-- It is a note where a later migration drops the table for good.
--
-- It comes of renaming the old table first: the references to it are renamed with it, and then lead to the old table.
--
-- remedy: Make the new table under another name, copy, drop the old one, and give the new one its name, in this order.
SELECT
    tried.site,
    tried.database,
    loss."table",
    printf('after this migration, rows of `%s` refer to %s', loss."table",
        iif(EXISTS (
                SELECT 1 FROM schema_table AS known JOIN variant ON variant.id = known.variant
                WHERE variant.database = tried.database AND variant.kind = 'declared' AND known.name = loss.object),
            printf('rows of `%s` that are not there', loss.object),
            printf('`%s`, which no longer exists', loss.object))) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: let a new migration make `%s` anew with a foreign key that finds its table', tried.released_in, loss."table"),
        'make the new table under another name, copy the rows, drop the old one, then rename the new one') AS help,
    iif(loss.id IN (SELECT loss FROM dropped_loss), 'note', tried.quieter_warning) AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'reference'

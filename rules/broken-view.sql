-- View that no longer works after a migration
-- severity: warning
-- subject: losses
--
-- SQLite does not look at views when a table or a column goes. A view that reads it stays, and each statement that uses
-- it fails from then on; so does each RENAME and each DROP COLUMN of the whole database.
--
-- A view on a table that is rebuilt is reported as `lost-object`.
--
-- remedy: Drop the view before the step, and create it again after it.
SELECT
    tried.site,
    tried.database,
    tried."table",
    printf('after this migration, the view `%s` no longer works: %s', loss.object, loss.text) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: let a new migration drop the view and create it again', tried.released_in),
        printf('drop the view `%s` before this step, and create it again after it', loss.object)) AS help,
    tried.quieter_warning AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'broken_view'
  AND NOT EXISTS (
        SELECT 1 FROM loss AS other
        JOIN experiment ON experiment.id = other.experiment
        JOIN migration_step ON migration_step.id = experiment.step
        JOIN migration ON migration.id = migration_step.migration
        WHERE other.kind = 'view' AND other.object = loss.object AND migration.database = tried.database)

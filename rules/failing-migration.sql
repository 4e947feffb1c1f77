-- Migration that fails
-- severity: error
-- subject: migrations
--
-- SQLite was given the migrations in their order, in memory, and refused this step. A program that runs it stops there,
-- with a database that is neither of the old version nor of the new.
--
-- remedy: Correct the step. If it is right, the order is not: say in planlint.toml which files come when, under
-- `migrations`, `create` and `open`.
SELECT
    coalesce(experiment.site, migration_step.site) AS site,
    migration.database,
    migration_step."table",
    printf('SQLite refuses this step: %s', experiment.message) AS message,
    CASE experiment.failure
        WHEN 'no_such_function' THEN 'if the program registers the function, list it under `functions`'
        WHEN 'no_such_collation' THEN 'if the program registers the collation, list it under `collations`'
        WHEN 'no_such_module' THEN 'if the program registers the module, list it under `modules`'
        ELSE iif(begins.migration IS NOT NULL,
            'no migration creates that table, and this is the first: what makes a database before it was not found. Name it in planlint.toml, under `create`', NULL) END AS help,
    iif(begins.migration IS NOT NULL
        OR experiment.failure IN ('no_such_function', 'no_such_collation', 'no_such_module'), 'note', NULL) AS severity
FROM first_failure
JOIN experiment ON experiment.id = first_failure.experiment
JOIN migration_step ON migration_step.id = experiment.step
JOIN migration ON migration.id = migration_step.migration
-- The first of all, which needs a table that none of them creates.
LEFT JOIN (
    SELECT first.id AS migration, step.id AS step
    FROM migration AS first
    JOIN migration_step AS step ON step.migration = first.id
    WHERE first.ordinal = (SELECT min(other.ordinal) FROM migration AS other WHERE other.database = first.database)
) AS begins ON begins.step = experiment.step AND experiment.failure = 'no_such_table'
    AND (SELECT count(*) FROM migration AS other WHERE other.database = migration.database) > 1
    AND NOT EXISTS (
        SELECT 1 FROM migration AS other
        JOIN migration_step AS creates ON creates.migration = other.id AND creates.kind = 'create_table'
        WHERE other.database = migration.database
          AND creates.object = ltrim(substr(experiment.message, length('no such table:') + 1)) COLLATE NOCASE)
WHERE migration.reached AND migration.direction = 'up'

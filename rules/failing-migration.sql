-- Migration that fails
-- severity: error
-- subject: migrations
--
-- SQLite was given the migrations in their order, in memory, and refused this step. A program that runs it stops there,
-- with a database that is neither of the old version nor of the new. It is a note where parts of the schema come from
-- templates or have computed names, where what began it is not in the tree, or where SQLite stops at a sign that no SQL
-- has, `$$` or `#`: then the step may find what it needs, or is a template.
--
-- remedy: Correct the step. If it is right, the order is not: say in planlint.toml which files come when, under
-- `migrations`, `create` and `open`.
SELECT
    coalesce(experiment.site, migration_step.site) AS site,
    migration.database,
    migration_step."table",
    printf('SQLite refuses this step: %s', experiment.message) AS message,
    CASE
        WHEN experiment.failure = 'no_such_function' THEN 'if the program registers the function, list it under `functions`'
        WHEN experiment.failure = 'no_such_collation' THEN 'if the program registers the collation, list it under `collations`'
        WHEN experiment.failure = 'no_such_module' THEN 'if the program registers the module, list it under `modules`'
        WHEN signs.message IS NOT NULL
            THEN 'no SQL has this sign: where the program puts something else there, leave the file out in planlint.toml, under `exclude`'
        WHEN migration_step.kind = 'create_index' AND experiment.message LIKE 'near "USING"%'
            THEN 'SQLite knows no kinds of index: the step is for an engine that grew out of it, or for another one'
        ELSE iif(begun.step IS NOT NULL,
            'several steps take tables that none creates: what makes a database before them was not found. Name it in planlint.toml, under `create`',
            iif(database.complete, NULL, 'other parts of this schema are made by templates, or under computed names, and are not seen')) END AS help,
    iif(begun.step IS NOT NULL OR NOT database.complete OR (migration_step.kind = 'create_index' AND experiment.message LIKE 'near "USING"%')
        OR signs.message IS NOT NULL
        OR experiment.failure IN ('no_such_function', 'no_such_collation', 'no_such_module'), 'note', NULL) AS severity
FROM first_failure
JOIN experiment ON experiment.id = first_failure.experiment
JOIN migration_step ON migration_step.id = experiment.step
JOIN migration ON migration.id = migration_step.migration
JOIN database ON database.id = migration.database
LEFT JOIN experiment AS signs
    ON signs.id = experiment.id
        AND (signs.message GLOB 'near "[$#^@~{%]*' OR signs.message GLOB 'unrecognized token: "[$#^@~{]*')
LEFT JOIN uncreated_failure AS begun
    ON begun.experiment = experiment.id AND begun.database IN (SELECT database FROM begun_database)
WHERE migration.reached AND migration.direction = 'up'

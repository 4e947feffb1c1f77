-- Migration that nothing runs
-- severity: warning
-- subject: migrations
--
-- Code names the migrations one by one, and this one is not among them: it was written, and never put into the list. No
-- database has what it makes, and what was tested by hand with it does not happen in the field.
--
-- remedy: Put it where the others are, or delete it.
--
-- ignore: Where a tool runs it that planlint does not know.
SELECT
    coalesce(first_step.site, migration.site) AS site,
    migration.database,
    'nothing runs this migration: code names the others one by one, and not this one' AS message,
    json_array(json_object('site', migration.beside, 'message', 'the others are named here')) AS related
FROM migration
LEFT JOIN migration_step AS first_step ON first_step.id = (
    SELECT migration_step.id FROM migration_step
    WHERE migration_step.migration = migration.id ORDER BY migration_step.ordinal LIMIT 1)
WHERE NOT migration.reached
GROUP BY migration.database, migration.name

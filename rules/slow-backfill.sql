-- Migration whose own writes grow as the square of the rows
-- severity: warning
-- subject: migrations
--
-- The write was run at its own step, on the schema that the steps before it made, with few rows and with four times as
-- many. It took more than eight times as long: for each row it goes through others. On the databases of users, which are
-- larger than any test's, the program does not start for minutes or hours.
--
-- It is a note where one of its tables is not known to grow.
--
-- It is reported as well where planlint itself had to stop the step.
--
-- remedy: Create the index that it needs before it, and drop it afterwards if nothing else uses it.
--
-- ignore: Where the table is small in every database that still has this step before it.
SELECT
    migration_step.site,
    migration.database,
    migration_step."table",
    printf('this write takes %.0f times as long on %.0f times the rows: %s',
        1.0 * backfill.many_steps / backfill.few_steps, 1.0 * backfill.many_rows / backfill.few_rows,
        replace(backfill.plan, char(10), '; ')) AS message,
    iif(first_release.name IS NULL, 'create the index that it needs before it', printf(
        '%s has run it already; databases that are older still wait for it', first_release.name)) AS help,
    -- Where a table is not known to grow, its rows may be few; where others follow, most databases are past it.
    iif(first_release.name IS NULL AND old_migration.migration IS NULL AND NOT EXISTS (
            SELECT 1 FROM table_size
            WHERE table_size.database = migration.database AND table_size.class IN ('bounded', 'single')
              AND (table_size."table" = migration_step."table" OR table_size."table" IN (
                    SELECT "table" FROM migration_read WHERE migration_read.step = migration_step.id))),
        NULL, 'note') AS severity
FROM backfill
JOIN migration_step ON migration_step.id = backfill.step
JOIN migration ON migration.id = migration_step.migration
LEFT JOIN first_release ON first_release.migration = migration.id
LEFT JOIN old_migration ON old_migration.migration = migration.id
UNION ALL
SELECT
    tried.site,
    tried.database,
    tried."table",
    printf('this step did not end within the limits of planlint: %s', tried.message),
    'see whether it ends at all; where a query is recursive, give it an end',
    tried.quieter_warning
FROM row_experiment AS tried
WHERE tried.failure = 'limit'
GROUP BY tried.step

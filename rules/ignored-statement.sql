-- Statement that is never run
-- severity: warning
-- subject: statements
--
-- The text has more than one statement, and the function that it is given to compiles the first alone. SQLite says
-- where that ends; most libraries drop the rest in silence, and some refuse the call when it runs.
--
-- remedy: Give each statement to a call of its own, or use the function that runs all of them, such as
-- `execute_batch`, `executescript` or `sqlite3_exec`.
SELECT
    coalesce(judged.tail_site, judged.site) AS site,
    judged.id AS statement,
    judged.database,
    iif(judged.sink_kind = 'refuses_more',
        printf('`%s` fails on a text of more than one statement', judged.sink),
        printf('`%s` runs the first statement of this text alone: the rest is never run', judged.sink)) AS message,
    iif(judged.quiet, 'note', NULL) AS severity,
    CASE WHEN judged.tail_site IS NOT NULL THEN
        json_array(json_object('site', judged.site, 'message', 'the first statement is this')) END AS related
FROM judged_statement AS judged
WHERE judged.sink_kind IN ('runs_one', 'refuses_more') AND judged.tail_bytes > 0
UNION ALL
-- A step of a schema, of which a database has the first statement alone.
SELECT
    second.site,
    NULL,
    migration.database,
    iif(migration.sink_kind = 'refuses_more',
        printf('`%s` fails on a text of more than one statement', migration.sink),
        printf('`%s` runs the first statement of this text alone: the rest is never run', migration.sink)),
    NULL,
    json_array(json_object('site', migration.site, 'message', 'the text begins here'))
FROM migration
JOIN migration_step AS second ON second.id = (
    SELECT step.id FROM migration_step AS step WHERE step.migration = migration.id ORDER BY step.ordinal LIMIT 1 OFFSET 1)
WHERE migration.sink_kind IN ('runs_one', 'refuses_more')

-- Plan that depends on the version of SQLite
-- severity: warning
-- yields-to: growing-table-scan, growing-sort, wide-search, correlated-scan, quadratic-statement, refused-statement
-- subject: field
--
-- The configuration names another SQLite under `sqlite`, and that one does other work with a growing table, or refuses the
-- statement: a planner learns in time, and what it learnt is missed where the program runs with an older one. Where it reads
-- all rows and the SQLite in planlint does not, or makes an index for one run, it is a warning; other work is a note.
-- Another index that is searched by the same columns makes no finding.
--
-- remedy: Write the statement so that both have a good plan, or make the program bring the SQLite along that it is tried with.
--
-- ignore: Where the program only ever runs with the one SQLite that it ships: then do not name another one.
SELECT
    judged.site,
    judged.id AS statement,
    judged.database,
    other."table",
    printf('SQLite %s plans %s where %s plans %s; the table %s', engine.version,
        coalesce('`' || replace(other.come, char(10), '`, `') || '`', 'nothing of the kind'), own.version,
        coalesce('`' || replace(other.gone, char(10), '`, `') || '`', 'nothing of the kind'), other.how) AS message,
    NULL AS help,
    iif(other.worse AND NOT judged.quiet, NULL, 'note') AS severity,
    (SELECT related FROM size_related WHERE size_related.table_size = other.table_size) AS related
FROM (
    -- Of several tables, one that is worse, and one that is not quiet.
    SELECT plan, table_size, "table", how, max(2 * (worse AND NOT quiet) + NOT quiet) > 1 AS worse,
        group_concat(nullif(come, ''), char(10)) AS come, group_concat(nullif(gone, ''), char(10)) AS gone
    FROM growing_elsewhere
    GROUP BY plan
) AS other
JOIN plan ON plan.id = other.plan
JOIN engine ON engine.id = plan.engine
JOIN engine AS own ON own.id = 1
JOIN judged_statement AS judged ON judged.id = plan.statement
UNION ALL
SELECT
    judged.site,
    judged.id,
    judged.database,
    NULL,
    printf('SQLite %s refuses this statement, which %s takes: %s', engine.version, own.version, refused.message),
    'Say it in words that both know, or make the program bring the newer SQLite along.',
    iif(judged.quiet, 'note', NULL),
    NULL
FROM plan_refusal AS refused
JOIN engine ON engine.id = refused.engine
JOIN engine AS own ON own.id = 1
JOIN judged_statement AS judged ON judged.id = refused.statement

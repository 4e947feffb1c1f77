-- Plan that only a database with statistics has
-- severity: warning
-- yields-to: growing-table-scan, growing-sort, wide-search, correlated-scan, quadratic-statement, overlap-by-scan
-- subject: field
--
-- A database in the field was analyzed, by hand or by a tool, and SQLite plans by what was found there. The program runs
-- neither `ANALYZE` nor `PRAGMA optimize`: every other database has no statistics, and the statement another plan. With one
-- of the two its cost grows with the tables, and the rows that it returns do not explain that; with the other it does not.
-- Who measures on the one database never sees what happens on the others.
--
-- It is planned and run both ways. Where the statistics make it worse, it is a note.
--
-- remedy: Let the program run `PRAGMA optimize` before it closes a connection, so that each database has statistics. Or
-- make an index with which the plan is right without them.
SELECT
    judged.site,
    judged.id AS statement,
    judged.database,
    grown."table",
    CASE effect.verdict
        WHEN 'worse' THEN printf('with the statistics that a database in the field has, SQLite plans `%s`; no other has any, '
                || 'and there it plans `%s`, and the cost grows; the table %s',
            replace(effect.steps_gone, char(10), '`, `'), replace(effect.steps_come, char(10), '`, `'), grown.how)
        ELSE printf('with the statistics that a database in the field has, SQLite plans `%s`, and the cost grows; without any '
                || 'it plans `%s`, and it does not; the table %s',
            replace(effect.steps_gone, char(10), '`, `'), replace(effect.steps_come, char(10), '`, `'), grown.how)
        END AS message,
    iif(judged.quiet OR grown.quiet OR effect.verdict = 'better', 'note', NULL) AS severity,
    iif(effect.verdict = 'worse', NULL,
        'The statistics may be old, or too coarse for this statement: see whether `ANALYZE` mends it. `+` in front of a column keeps '
            || 'SQLite from searching by it.') AS help,
    (SELECT related FROM size_related WHERE size_related.table_size = grown.table_size) AS related
FROM trial
JOIN trial_effect AS effect ON effect.trial = trial.id AND effect.verdict IN ('better', 'worse')
JOIN judged_statement AS judged ON judged.id = effect.statement
JOIN growing_table AS grown ON grown.table_size = (
    SELECT first.table_size
    FROM base_step
    JOIN growing_table AS first ON first.database = base_step.owner AND first."table" = base_step."table"
    WHERE base_step.statement = judged.id
    ORDER BY base_step.ordinal LIMIT 1)
WHERE trial.action = 'no_statistics' AND effect.steps_come <> ''

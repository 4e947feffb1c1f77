-- Drop of an index that a statement needs
-- severity: error
-- subject: migrations
--
-- The schema drops an index and never makes it again, under whatever name, and a statement of the program still counts on
-- it. Nothing fails: the statement finds the same rows, and reads more of the table with each row that is added.
--
-- The index was put back for a trial. Without it, the cost of the statement grows with the table, and the rows that it
-- returns do not explain that; with it, the cost no longer grows.
--
-- It is a note where one branch of the code drops the index and another makes it, as an option of the caller has it.
--
-- Silent where the same migration makes one that has its columns behind another, and the dropped one was only walked in order.
--
-- remedy: Create the index again, in a new migration; one that has run in the field can't be changed. If it was dropped
-- for what it costs to keep, change the statements that need it first.
SELECT
    missed.site,
    'index:' || missed.name AS object,
    missed.database,
    missed."table",
    printf('the index `%s` is dropped here, and %s it: SQLite plans `%s`, and the cost grows with the table%s; '
            || 'with the index it plans `%s`, and the cost does not grow',
        missed.name, iif(missed.statements = 1, 'a statement needs', printf('%d statements need', missed.statements)),
        missed.gone, missed.words, missed.come) AS message,
    -- Where the order of the steps is a guess, it may well be made after this.
    CASE WHEN missed.is_chosen THEN 'note' WHEN missed.all_quiet OR NOT missed.is_ordered THEN 'warning' END AS severity,
    CASE WHEN missed.is_chosen THEN 'Another branch of the code makes it: who takes this one does without, and the statement should run only where '
            || 'the index is there.'
        WHEN missed.origin = 'open' THEN printf('It is dropped again whenever a database is opened. If that is meant for another index '
            || 'of the name, give this one a name of its own: `%s`.', missed.sql)
        ELSE printf('Create it again, in a new migration: `%s`. If it was dropped for what it costs to keep, change %s '
            || 'first.', missed.sql, iif(missed.statements = 1, 'the statement', 'the statements')) END AS help,
    (SELECT json_group_array(json_object('site', other.statement_site, 'statement', other.statement, 'message', iif(other.statements = 1,
        'the statement', printf('planned by `%s`, and with the index by `%s`', other.gone, other.come))))
     FROM bettered_statement AS other WHERE other.trial = missed.trial) AS related
FROM needed_index AS missed
WHERE missed.number = 1
  -- One in its place has what it begins with behind another column, and this one finds no row by a value: how far it is walked, is
  -- of the rows.
  AND NOT (
        EXISTS (
            SELECT 1
            FROM (SELECT index_step.*, instr(definition, ', ') AS first_end FROM index_step) AS made
            WHERE made.migration = missed.migration AND made.kind = 'create_index' AND made.outcome = 'done'
              AND made.last_name = missed."table" AND made.first_end > 0
              AND instr(
                  replace(replace(lower(substr(missed.sql, instr(missed.sql, '(') + 1,
                      length(missed.sql) - instr(missed.sql, '(') - 1)), ' desc', ''), ' asc', '') || ', ',
                  replace(replace(substr(made.definition, made.first_end + 2,
                      length(made.definition) - made.first_end - 2), ' desc', ''), ' asc', '') || ', ') = 1)
        AND NOT EXISTS (
            SELECT 1
            FROM (SELECT trial, substr(come, instr(lower(come), lower(missed.name))) || '`' AS line FROM bettered_statement)
                AS other
            WHERE other.trial = missed.trial AND instr(substr(other.line, 1, instr(other.line, '`')), '=?')))

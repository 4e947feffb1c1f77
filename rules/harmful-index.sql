-- Index that makes a statement slower
-- severity: warning
-- subject: indexes
--
-- Without statistics SQLite knows by how many columns an index is searched, and not how many rows share their values: a
-- search by two flags that nearly all rows have wins over one by a key that finds a few. Of two indexes that seem equally
-- good it takes the smaller, or else the newest. So an index that is made for one statement can take over another, which
-- was fast. Nothing says so, and on a small database nothing shows it.
--
-- The index was left out for a trial. With it, the cost of the statement grows with the table, and the rows that it
-- returns do not explain that; without it, another index finds the rows, and the cost no longer grows. It is a note where the
-- caller gives the value of a column that has few, or a state is sought that rows leave: of a rare one, the index finds the
-- few rows. It is one, too, where the cost grows only if many rows share a key of this index, and few share one of the other; or
-- both are searched by ranges, of which the caller decides which is the narrower.
--
-- remedy: If no other statement needs the index, drop it. Otherwise give the statement an index that wins: the one that
-- it used before, with the columns of this one behind its own; or put the column that tells rows apart first in this
-- one. Where statistics tell the two apart, `ANALYZE` is enough, and `PRAGMA optimize` keeps them. Where nothing else is
-- possible, `+column` in the statement keeps SQLite from searching by that column, and `INDEXED BY` names the index to be
-- used.
SELECT
    harmed.site,
    'index:' || harmed.name AS object,
    harmed.database,
    harmed."table",
    printf('the index `%s` makes %s slower: SQLite plans `%s`, and the cost grows with the table%s; '
            || 'without %s it plans `%s`, and the cost does not grow',
        harmed.name, iif(harmed.statements = 1, 'a statement', printf('%d statements', harmed.statements)),
        harmed.gone, harmed.words, coalesce('it and ' || harmed.also || ', which would take its place,', 'the index'),
        harmed.come) AS message,
    -- Of a value that the caller gives, and that few rows may have, the index finds those few.
    iif(harmed.all_quiet OR NOT EXISTS (
        SELECT 1 FROM bettered_statement AS other
        WHERE other.trial = harmed.trial AND NOT other.is_of_ranges
          AND other.statement NOT IN (SELECT statement FROM rarity_search WHERE rarity_search."index" = harmed."index")
          -- Many rows may as well share a key of the other index, and few one of this.
          AND (other.words = '' OR EXISTS (
              SELECT 1 FROM index_column
              WHERE index_column."index" = harmed."index" AND index_column.ordinal = 0
                -- A term of an expression has no name by which it is found in the plan.
                AND (index_column.column IS NULL OR instr(other.come, '(' || index_column.column || '=?')
                     OR instr(other.come, ' ' || index_column.column || '=?'))))),
        'note', NULL) AS severity,
    CASE
        WHEN harmed.is_of_ranges
        THEN 'Which of the two ranges is the narrower the caller decides: where it is mostly the other, write `+` in front of the column '
            || 'by which this index is searched.'
        WHEN harmed.needed > 0 OR harmed.is_unique OR harmed.is_hinted
        THEN CASE iif(harmed.is_hinted AND NOT harmed.needed, -1, harmed.needed)
                WHEN -1 THEN 'Code names it for INDEXED BY. '
                WHEN 0 THEN 'It also keeps its keys unique. '
                WHEN 1 THEN 'It serves another statement. '
                ELSE printf('It serves %d other statements. ', harmed.needed) END
            || coalesce('Make ' || harmed.cures || harmed.cured,
                'Put a column first that tells rows apart, if that serves them as well; otherwise write `+` in front '
                        || 'of the columns by which this statement is not to be searched.')
        -- Whether few rows share a key of the other index, only the program knows.
        ELSE printf('No statement that was found is worse off without %s', iif(harmed.also IS NULL, 'it', 'them'))
            || iif(EXISTS (SELECT 1 FROM unread_reference WHERE unread_reference."table" = harmed."table"),
                '; one may need it whose text only the running program knows', '')
            || coalesce('. Then make ' || harmed.cures || harmed.cured, '.')
        END AS help,
    -- What nothing needs is dropped.
    iif(harmed.needed > 0 OR harmed.is_unique OR harmed.is_hinted OR harmed.is_of_ranges, NULL, harmed.effect) AS effect,
    -- What serves others is not dropped: then the planner is told which to take, where that alone was proved to do.
    CASE WHEN harmed.statements = 1 AND harmed.cures IS NULL AND (harmed.needed > 0 OR harmed.is_unique) THEN (
        SELECT obstacle_help.obstacle
        FROM obstacle_help
        WHERE obstacle_help.statement = harmed.statement AND obstacle_help.kind = 'passed_over') END AS obstacle,
    (SELECT json_group_array(json_object('site', other.statement_site, 'message', iif(other.statements = 1,
        'the statement', printf('planned by `%s`, and without the index by `%s`', other.gone, other.come))))
     FROM bettered_statement AS other WHERE other.trial = harmed.trial) AS related
FROM harmed_statement AS harmed
WHERE harmed.number = 1

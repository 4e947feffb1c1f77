-- Index that costs more than it brings
-- severity: note
-- subject: indexes
--
-- An index whose keys come in no order, such as hashes, has each row go to another page: about 1.3 pages are written for it,
-- and once it outgrows the cache as many are read. One that grows at its end writes a fiftieth of that. This is told of an
-- index that is a fifth or more of what a row writes, where what goes by it is served for less. Another index may do that, by
-- the same columns, so that this one is not needed. Or the same columns in another order do, what grows evenly, such as a
-- height, first, for all statements compare all of them. Or only statements that run at start-up, in migrations or in tools
-- go by it, while every row pays.
--
-- That others do as well is proved: all statements, triggers and foreign keys that go by the index are planned again without
-- it. It is silent where a text that is not known whole may name the table, and where the program uses a query builder,
-- since others may go by the index. An index that begins another one is of `redundant-index`, one that nothing goes by of
-- `unused-index`. What a row writes is told for a million rows, of which a transaction puts in a thousand, and as if each
-- had values of its own; that values come in no order is told by names and types.
--
-- remedy: Let a new migration do what the help says. For an index that tools alone need, let them make it, and drop it when
-- they are done.
--
-- ignore: Where the table is written seldom, or a statement that planlint does not see needs the index.
WITH user AS (
    SELECT costly."index", judged.id AS statement, judged.role = 'production' AND NOT judged.seldom AS is_hot,
        judged.role = 'dead' AS is_dead, step.program IS NOT NULL AS is_trigger
    FROM random_index AS costly
    JOIN plan ON plan.variant = costly.variant
    JOIN step ON step.plan = plan.id AND step."index" = costly.name AND step."table" = costly."table"
    LEFT JOIN judged_statement AS judged ON judged.id = plan.statement
    WHERE judged.id IS NOT NULL OR plan.statement IS NULL
),
used AS (
    SELECT "index", count(DISTINCT statement) AS statements,
        -- The work of a foreign key, or of a trigger, is that of whoever sets it off.
        max(statement IS NULL OR is_hot OR is_dead OR is_trigger) AS is_needed
    FROM user GROUP BY "index"
),
served AS (
    SELECT costly."index", trial.action, trial.sql,
        (SELECT trial_effect.steps_come FROM trial_effect
         WHERE trial_effect.trial = trial.id AND trial_effect.steps_come <> ''
         ORDER BY trial_effect.statement LIMIT 1) AS come,
        CASE trial.action WHEN 'replace_index' THEN 'in another order of its columns it would grow at its end, and serve them'
             ELSE 'they are as fast without' END AS how,
        row_number() OVER (PARTITION BY costly.variant, costly."table" ORDER BY costly.pages DESC, costly."index") AS number
    FROM random_index AS costly
    JOIN trial ON trial."index" = costly."index" AND trial.holder IS NULL AND trial.action IN ('drop_index', 'replace_index')
    WHERE EXISTS (SELECT 1 FROM trial_effect WHERE trial_effect.trial = trial.id)
      AND NOT EXISTS (SELECT 1 FROM trial_effect WHERE trial_effect.trial = trial.id AND trial_effect.verdict <> 'same')
)
SELECT
    costly.site,
    costly.database,
    costly."table",
    'index:' || costly.name AS object,
    printf('`%s` takes %.1f of the %.1f pages that a row of `%s` writes, since the values of `%s` come in no order; %s',
        costly.name, costly.pages / 100.0, row_price.pages / 100.0, costly."table", costly.column,
        CASE WHEN served."index" IS NOT NULL AND used.statements = 1
             THEN 'one statement uses it, and ' || replace(replace(served.how, 'they are', 'it is'), 'them', 'it')
             WHEN served."index" IS NOT NULL THEN printf('%d statements use it, and %s', used.statements, served.how)
             ELSE 'only statements that run at start-up, in migrations or in tools use it' END) AS message,
    coalesce(printf('in a new migration: `%s`', served.sql)
            || coalesce('; then SQLite plans `' || replace(served.come, char(10), '`, `') || '`', ''),
        'create it where it is needed and drop it afterwards, or find out whether other statements were to use it') AS help
FROM random_index AS costly
JOIN used ON used."index" = costly."index"
JOIN row_price ON row_price.variant = costly.variant AND row_price."table" = costly."table"
JOIN "index" ON "index".id = costly."index" AND NOT "index".is_unique
LEFT JOIN served ON served."index" = costly."index" AND served.number = 1
WHERE costly.origin = 'create' AND costly.share >= 20 AND used.statements > 0
  AND (served."index" IS NOT NULL OR NOT used.is_needed
       -- A statement of the running program that compares the column may be meant to go by it.
       AND NOT EXISTS (SELECT 1 FROM predicate JOIN live_statement ON live_statement.id = predicate.statement
                       WHERE live_statement.database = costly.database AND predicate.clause <> 'set'
                         AND (predicate.column = costly.column OR predicate.value_column = costly.column)))
  AND NOT EXISTS (SELECT 1 FROM query_builder)
  AND NOT EXISTS (SELECT 1 FROM unread_reference
                  WHERE unread_reference."table" = costly."table"
                     OR unread_reference."table" IS NULL AND served."index" IS NULL)

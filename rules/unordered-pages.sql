-- Pages of rows in no order
-- severity: warning
-- subject: reads
--
-- A LIMIT with an OFFSET that grows takes the rows page by page, and no ORDER BY says which are where. SQLite returns
-- them as its plan comes upon them: after a new index, an ANALYZE or another version of SQLite it comes upon them in
-- another order, and rows are missed, or seen twice.
--
-- Where rows are read in the order of the table it is a note: as long as nothing offers another way, that is the
-- order of the rowid.
--
-- remedy: Say ORDER BY, by columns that tell all rows apart.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf('these pages of `%s` have no ORDER BY: which rows are on which is up to %s', step."table",
        iif(step."index" IS NULL, 'the plan', printf('`%s`, as long as the plan takes it', step."index"))) AS message,
    iif(step.quiet OR step."index" IS NULL, 'note', NULL) AS severity
FROM own_step AS step
JOIN statement ON statement.id = step.statement
-- What computes the OFFSET is no page.
JOIN step_query ON step_query.step = step.id AND step_query.query = 0
WHERE statement.kind = 'select' AND statement.pages AND NOT statement.ordered AND NOT statement.aggregate
  -- An order within it is that of its pages.
  AND NOT EXISTS (SELECT 1 FROM predicate WHERE predicate.statement = statement.id AND predicate.clause = 'order_by')
  AND step.id NOT IN (SELECT step FROM unique_step)
  AND step.operation IN ('SCAN', 'SEARCH')
  -- A row at random, and the order that a view has.
  AND NOT EXISTS (SELECT 1 FROM called_function AS called WHERE called.statement = statement.id AND called.name = 'random')
  AND NOT EXISTS (SELECT 1 FROM step AS sort JOIN plan ON plan.id = sort.plan
                  WHERE plan.statement = statement.id AND sort.operation = 'TEMP B-TREE' AND sort.purpose = 'ORDER BY')
-- Of its steps the first.
GROUP BY step.statement
HAVING step.ordinal = min(step.ordinal)

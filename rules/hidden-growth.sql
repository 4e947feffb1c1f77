-- Growing cost in a trigger or a cascade
-- severity: warning
-- yields-to: growing-table-scan, wide-search, harmful-index, needed-index-dropped
-- subject: reads
--
-- The text of the statement is harmless. What it sets off is not: the program of a trigger, or the rows that a foreign
-- key deletes or changes along with it, look for rows by reading a table that grows. The plan shows it only to those
-- who ask for it.
--
-- remedy: Create an index by which the trigger, or the foreign key, finds its rows.
--
-- ignore: Where the parent's rows are never deleted and the trigger's table stays small.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf('%s reads %s `%s`%s; the table %s',
        iif(step.program = 'trigger', printf('the trigger `%s`', step.program_name), 'a cascade'),
        iif(step.operation = 'SCAN', 'all rows of', 'a share of all rows of'),
        step."table", costly.words, growing_table.how) AS message,
    iif(step.quiet OR growing_table.quiet, 'note', NULL) AS severity,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM base_step AS step
JOIN costly ON costly.statement = step.statement
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
WHERE (step.program IS NOT NULL OR step.id IN (SELECT step FROM foreign_key_step WHERE purpose <> 'parent_insert'))
  AND step.operation IN ('SCAN', 'SEARCH')
  AND step.id NOT IN (SELECT step FROM unique_step)
  AND NOT step.one_row
  AND step.statement NOT IN (SELECT statement FROM scanning)
  -- A search finds what it is for: that these are many is measured, or not said.
  AND (step.operation = 'SCAN' OR step.statement NOT IN (SELECT statement FROM unmeasured))
  -- Where a scan explains the cost, searches beside it do not.
  AND (step.operation = 'SCAN' OR NOT EXISTS (
        SELECT 1 FROM base_step AS other
        WHERE other.statement = step.statement AND other.operation = 'SCAN' AND other."table" IS NOT NULL))
  -- Nor does what finds by a key whatever goes with a row, where the statement itself searches a range: no row that this finds
  -- in vain takes anything along.
  AND (step.operation = 'SCAN' OR step.ranges > 0 OR NOT EXISTS (
        SELECT 1 FROM own_step AS own
        JOIN growing_table AS grows ON grows.database = own.owner AND grows."table" = own."table"
        WHERE own.statement = step.statement AND own.operation = 'SEARCH' AND own.ranges > 0))
  -- That a trigger writes all rows where one was meant is told of the trigger.
  AND NOT EXISTS (
        SELECT 1 FROM trigger
        WHERE step.program = 'trigger' AND trigger.variant = step.variant AND trigger.name = step.program_name
          AND trigger.whole = step."table")
  -- A foreign key that no index serves is found where it is declared.
  AND NOT (step.operation = 'SCAN' AND step.id IN (SELECT step FROM foreign_key_step))

-- Smallest or largest value without an index
-- severity: warning
-- yields-to: growing-table-scan, correlated-scan, harmful-index, needed-index-dropped
-- subject: reads
--
-- min() and max() of a column that no index begins with read the whole table, though the plan says SEARCH, as it does
-- where an index yields the value at once. min() and max() in one SELECT read all of the index.
--
-- remedy: Create an index on the column, after those compared by =. Ask for min() and max() in subqueries of their own.
--
-- ignore: Where it runs rarely, and writing an index with each row would cost more.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf('all rows of `%s` are read for a smallest or largest value; the table %s',
        step."table", growing_table.how) AS message,
    iif(step.quiet OR growing_table.quiet OR growing_table.is_short, 'note', NULL) AS severity,
    (SELECT help FROM obstacle_help WHERE obstacle_help.step = step.id) AS help,
    (SELECT obstacle FROM obstacle_help WHERE obstacle_help.step = step.id) AS obstacle,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM own_step AS step
JOIN costly ON costly.statement = step.statement
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
WHERE step.equalities + step.ranges = 0
  AND (step.operation = 'SEARCH'
       OR (step.operation = 'SCAN' AND step.statement_kind = 'select' AND step.grouped IS NOT 1
           AND NOT EXISTS (SELECT 1 FROM called_function AS other
                           WHERE other.statement = step.statement AND other.name NOT IN ('min', 'max'))))
  AND EXISTS (SELECT 1 FROM called_function
              WHERE called_function.statement = step.statement AND called_function.name IN ('min', 'max'))
  AND step.id NOT IN (SELECT id FROM filtered_scan)
  AND step.statement NOT IN (SELECT statement FROM repeated_read)
  AND step.id NOT IN (SELECT step FROM first_or_last_step)

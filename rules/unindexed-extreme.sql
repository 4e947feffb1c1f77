-- Smallest or largest value without an index
-- severity: warning
-- yields-to: growing-table-scan, correlated-scan, harmful-index, needed-index-dropped
-- subject: reads
--
-- min() and max() of a column that no index begins with read the whole table, though the plan says SEARCH, as it does
-- where an index yields the value at once. min() and max() in one SELECT read all of the index. In a subquery that runs again for
-- each row around it, all that each of those has are read for one value, unless an index ends with it: that is a note, for nobody knows
-- how many each has.
--
-- remedy: Create an index on the column, after those compared by =. Ask for min() and max() in subqueries of their own.
--
-- ignore: Where it runs rarely, and writing an index with each row would cost more.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf('all rows of `%s`%s are read for a smallest or largest value%s; the table %s',
        step."table",
        iif(nested.step IS NULL, '', printf(' that %s finds',
            CASE step.key WHEN 'index' THEN printf('the index `%s`', step."index") ELSE 'its key' END)),
        coalesce(nested.words, ''), growing_table.how) AS message,
    iif(step.quiet OR growing_table.quiet OR growing_table.is_short OR nested.step IS NOT NULL, 'note', NULL) AS severity,
    (SELECT help FROM obstacle_help WHERE obstacle_help.step = step.id) AS help,
    (SELECT obstacle FROM obstacle_help WHERE obstacle_help.step = step.id) AS obstacle,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM own_step AS step
LEFT JOIN costly ON costly.statement = step.statement
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
LEFT JOIN nested_search AS nested ON nested.step = step.id
    AND nested.step IN (SELECT obstacle.step FROM obstacle WHERE obstacle.kind = 'extreme')
WHERE (step.equalities + step.ranges = 0 AND costly.statement IS NOT NULL
       OR nested.step IS NOT NULL AND step.statement NOT IN (SELECT statement FROM growing_sort))
  AND (step.operation = 'SEARCH'
       OR (step.operation = 'SCAN' AND step.statement_kind = 'select' AND step.grouped IS NOT 1
           AND NOT EXISTS (SELECT 1 FROM called_function AS other
                           WHERE other.statement = step.statement AND other.name NOT IN ('min', 'max'))))
  AND EXISTS (SELECT 1 FROM called_function
              WHERE called_function.statement = step.statement AND called_function.name IN ('min', 'max'))
  AND step.id NOT IN (SELECT id FROM filtered_scan)
  AND step.statement NOT IN (SELECT statement FROM repeated_read)
  AND step.id NOT IN (SELECT step FROM first_or_last_step)

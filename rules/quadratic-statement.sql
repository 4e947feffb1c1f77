-- Cost that grows as the square of a table
-- severity: warning
-- yields-to: correlated-scan, harmful-index, needed-index-dropped
-- subject: reads
--
-- With four times the rows, the statement takes sixteen times the steps. A table of a thousand rows hides it; with a
-- hundred thousand, the statement does not end.
--
-- remedy: Look in the plan for the table that is read once for each row of another, and give it an index by which those
-- rows are found.
--
-- ignore: Where the table is small for good. A few thousand rows are millions of steps already.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf('the cost grows as the square of `%s`%s; the table %s', step."table", costly.words, growing_table.how) AS message,
    iif(step.quiet OR growing_table.quiet, 'note', NULL) AS severity,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM own_step AS step
JOIN costly ON costly.statement = step.statement AND costly.class = 'quadratic'
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
WHERE step.statement NOT IN (SELECT statement FROM repeated_read)
  AND step.ordinal = (SELECT max(last.ordinal) FROM own_step AS last
                      JOIN growing_table AS grows ON grows.database = last.owner AND grows."table" = last."table"
                      WHERE last.statement = step.statement)

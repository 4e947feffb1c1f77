-- Plan that becomes worse with a longer list
-- severity: warning
-- yields-to: growing-table-scan, wide-search
-- subject: reads
--
-- A list of a few values and a list of thousands are two statements to SQLite, each with its own plan. The statement is
-- cheap with a short list, as in a test. With a long one SQLite takes another way, and reads more of the table than the
-- list asks for.
--
-- remedy: Hand the values over in lists of a fixed, moderate length, or put them in a temporary table and join it.
--
-- ignore: Where the program never hands over more than a few values.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf('with a list of 2,000 values the cost grows with `%s`, with a short list it does not; the table %s',
        step."table", growing_table.how) AS message,
    iif(step.quiet OR growing_table.quiet, 'note', NULL) AS severity,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM own_step AS step
JOIN statement ON statement.id = step.statement AND NOT statement.skips
JOIN growth ON growth.statement = step.statement AND growth.binding = 'wide' AND NOT growth.explained
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
WHERE step.statement NOT IN (SELECT statement FROM costly)
  AND step.ordinal = (SELECT min(first.ordinal) FROM own_step AS first
                      JOIN growing_table AS grows ON grows.database = first.owner AND grows."table" = first."table"
                      WHERE first.statement = step.statement)

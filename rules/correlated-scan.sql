-- Scan of a growing table for each row of another
-- severity: warning
-- yields-to: harmful-index, needed-index-dropped, lost-object
-- subject: reads
--
-- The statement reads a whole table again and again: once for each row of the table before it in the join, for each row
-- around a correlated subquery, or for each row that a recursive query has found. An automatic index is the same in
-- disguise: SQLite reads the table to build an index, uses it once, and throws it away. The cost is the product of two
-- tables, or close to it.
--
-- So is a table that no term compares with anything, beside others in a FROM: each of its rows is joined to each row of
-- theirs, which is seldom meant.
--
-- remedy: Create an index on the columns by which the inner table is joined. For an automatic index it is the one that
-- SQLite builds each time.
--
-- ignore: Where the inner table has a handful of rows for good: say so with `bounded`.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf(CASE
        WHEN step.is_loose THEN 'all rows of `%s` are joined to each row before it, for nothing joins them; the table %s'
        WHEN step.automatic THEN 'an index of `%s` is built each time this runs; the table %s'
        WHEN step.recursive THEN 'all rows of `%s` are read for each row that the recursion finds; the table %s'
        WHEN step.correlated THEN 'all rows of `%s` are read for each row around the subquery; the table %s'
        ELSE 'all rows of `%s` are read for each row of the table before it in the join; the table %s' END,
        step."table", growing_table.how) AS message,
    iif(step.quiet OR growing_table.quiet
        -- What reads all anyway reads it for an index as well.
        OR (step.automatic AND step.statement IN (SELECT statement FROM checking_statement)),
        'note', NULL) AS severity,
    coalesce(
        (SELECT help FROM obstacle_help WHERE obstacle_help.step = step.id),
        (SELECT printf('Keep an index of `%s` that begins with %s: SQLite builds one each time for want of it.', step."table",
                    group_concat('`' || step_term.column || '`', ', ' ORDER BY step_term.ordinal))
         FROM step_term WHERE step_term.step = step.id AND step.automatic
         HAVING count(*) > 0 AND sum(step_term.column = '<expr>' OR step_term.kind <> 'equal') = 0)) AS help,
    (SELECT obstacle FROM obstacle_help WHERE obstacle_help.step = step.id) AS obstacle,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM (
    SELECT repeated_read.*, 0 AS is_loose FROM repeated_read
    UNION ALL
    SELECT loose_scan.*, 0, 1 FROM loose_scan
    WHERE id NOT IN (SELECT id FROM repeated_read WHERE statement IN (SELECT statement FROM costly))
) AS step
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
WHERE (step.is_loose OR step.statement IN (SELECT statement FROM costly))
  AND step.program IS NOT 'trigger'
  AND step.id NOT IN (SELECT step FROM partial_step)
  AND step.id NOT IN (SELECT step FROM foreign_key_step)

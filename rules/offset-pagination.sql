-- Pages by OFFSET
-- severity: warning
-- yields-to: growing-table-scan, growing-sort, correlated-scan, harmful-index, needed-index-dropped
-- subject: reads
--
-- OFFSET finds the rows that it passes over, one by one, and throws them away. The first page is fast, and the last one
-- reads the whole table, or all that has the key by which it looks. No plan shows it.
--
-- Where rows are found by a key it is a note: only who knows the program knows how many of them a key has.
--
-- remedy: Remember the key of the last row of a page, and ask for the rows after it: `WHERE id > ? ORDER BY id LIMIT 20`. Where the
-- n-th row is meant, keep its number in a column with an index.
--
-- ignore: Where nobody turns more than a few pages, and the program sees to that.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf(iif(step.is_single, 'one row is found by reading all rows of `%s`%s before it; the table %s',
        'each page reads all rows of `%s`%s before it; the table %s'), step."table",
        iif(step.is_keyed, ' with its key', ''), growing_table.how) AS message,
    iif(step.quiet OR growing_table.quiet OR step.is_keyed, 'note', NULL) AS severity,
    iif(step.is_single, 'Where no page is meant, but the n-th row, keep its number in a column with an index.', NULL) AS help,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM (
    SELECT own_step.*, own_step.equalities > 0 AND (paged.within_key OR EXISTS (
        -- What is found in front of it is one row for each key that is listed.
        SELECT 1 FROM unique_step JOIN step AS before ON before.id = unique_step.step
        WHERE before.plan = own_step.plan AND before.ordinal < own_step.ordinal)) AS is_keyed,
        asking.loop_depth = 0 AND lower(asking.text) GLOB '* limit 1 offset ?*' AND lower(asking.text) NOT GLOB '* limit *limit *' AS is_single
    FROM own_step
    JOIN statement AS asking ON asking.id = own_step.statement
    JOIN (
        SELECT statement, min(data = 'few_groups') AS within_key
        FROM growth WHERE binding = 'wide' AND NOT explained
        GROUP BY statement
        UNION
        SELECT passing_scan.statement, 0 FROM passing_scan JOIN costly ON costly.statement = passing_scan.statement
    ) AS paged ON paged.statement = own_step.statement
) AS step
-- What a DELETE passes over is what it keeps.
JOIN statement ON statement.id = step.statement AND statement.pages AND statement.kind <> 'delete'
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
-- One row for each key is no page.
WHERE step.id NOT IN (SELECT step FROM unique_step)
  AND (step.statement NOT IN (SELECT statement FROM costly) OR step.id IN (SELECT step FROM passing_scan))
-- Of its steps the first.
GROUP BY step.statement
HAVING step.ordinal = min(step.ordinal)

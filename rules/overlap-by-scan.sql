-- Test of an overlap that reads all rows on one side
-- severity: warning
-- yields-to: harmful-index, needed-index-dropped
-- subject: reads
--
-- Two intervals overlap where one begins before the other ends, and ends after it begins: two ranges, on two columns. An
-- index can serve one of them. The other is tested row by row, and on average half of the table lies on that side. An
-- index on both columns does not help.
--
-- Where rows are found by a key it is a note: only who knows the program knows how many of them a key has.
--
-- remedy: Where the stored intervals do not overlap each other, look at the neighbour alone: `WHERE "start" <= ? ORDER BY
-- "start" DESC LIMIT 1`, and then test its end. Else keep them in an R*Tree (`CREATE VIRTUAL TABLE … USING rtree`), or
-- bound the other side by the longest interval.
--
-- ignore: Where only a few intervals are ever kept at a time.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf('the overlap of `%s` and `%s` is tested on %s rows of `%s`%s; the table %s', low.column, high.column,
        CASE WHEN costly.within_key THEN 'the' WHEN step.operation = 'SCAN' THEN 'all' ELSE 'a share of all' END,
        step."table", costly.words, growing_table.how) AS message,
    iif(step.quiet OR growing_table.quiet OR costly.within_key, 'note', NULL) AS severity,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM own_step AS step
JOIN (
    SELECT statement, words, 0 AS within_key FROM costly
    UNION ALL
    SELECT DISTINCT statement, ' with its key', 1 FROM growth
    WHERE data = 'shared_key' AND NOT explained AND binding <> 'wide' AND statement NOT IN (SELECT statement FROM costly)
) AS costly ON costly.statement = step.statement
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
JOIN predicate AS low ON low.statement = step.statement AND low."table" = step."table"
    AND low.clause IN ('where', 'join') AND low.operator IN ('<', '<=') AND low.value IN ('parameter', 'column')
JOIN predicate AS high ON high.statement = step.statement AND high."table" = step."table"
    AND high.query IS low.query AND high.clause IN ('where', 'join') AND high.operator IN ('>', '>=')
    AND high.value IN ('parameter', 'column') AND high.column <> low.column
WHERE step.operation IN ('SCAN', 'SEARCH')
  -- Where rows are found by a key as well, that is what bounds them, unless many share it.
  AND costly.within_key = (step.equalities > 0)
  -- By their names the columns are the ends of an interval.
  AND EXISTS (SELECT 1 FROM (VALUES ('start'), ('begin'), ('from'), ('first'), ('low'), ('min'), ('since'), ('valid')) AS words
              WHERE '_' || low.column LIKE '%\_' || words.column1 || '%' ESCAPE '\')
  AND EXISTS (SELECT 1 FROM (VALUES ('end'), ('stop'), ('to'), ('until'), ('last'), ('high'), ('max'), ('expir'), ('till')) AS words
              WHERE '_' || high.column LIKE '%\_' || words.column1 || '%' ESCAPE '\')
  -- Each column is bounded on one side alone, and bounds one thing: an interval.
  AND NOT EXISTS (
        SELECT 1 FROM predicate AS other
        WHERE other.statement = step.statement AND other."table" = step."table" AND other.clause IN ('where', 'join')
          AND ((other.column = low.column AND other.operator IN ('>', '>=', '=', '==', 'IS', 'IN', 'BETWEEN'))
               OR (other.column = high.column AND other.operator IN ('<', '<=', '=', '==', 'IS', 'IN', 'BETWEEN'))))
GROUP BY step.site, step.statement
HAVING low.id = min(low.id)

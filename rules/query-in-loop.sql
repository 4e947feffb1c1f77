-- Query for each element of a loop
-- severity: note
--
-- A loop asks for one row, or a few, with each of its elements. The number of queries is that of the elements, and each
-- pays for its own search, its own binding and its own way through the driver; one statement that takes them all pays
-- once.
--
-- Loops over a few elements that are written there are silent. So is one that writes as well, for what it reads may
-- depend on what it wrote; one that ends with the element that it looked for; and one that waits for another machine,
-- which takes longer than any query.
--
-- remedy: Ask once in front of the loop: with a list (`IN`, or `json_each(?)` for one of any length), with a join where
-- the elements are rows of another query, or with a range where they are numbers.
WITH looped AS MATERIALIZED (SELECT * FROM looped_lookup),
busy (loop) AS MATERIALIZED (
    SELECT loop FROM looped_statement WHERE kind IN ('insert', 'replace', 'update', 'delete')
    UNION
    SELECT loop FROM looped WHERE origin = 'last_result'
)
SELECT
    looped.site,
    looped.statement,
    looped.database,
    looped."table",
    printf('`%s` is asked by `%s` for each %s of this loop%s', looped."table", looped.column,
        looped.turn,
        looped.through) AS message,
    looped.related
FROM looped
WHERE looped.origin = 'loop_item' AND looped.loop_source IN ('rows', 'collection', 'range')
  AND NOT looped.loop_searches AND NOT looped.loop_writes AND NOT looped.loop_waits
  -- The first or last of many for each element is not asked for at once.
  AND NOT (looped.limited IS 1 AND looped.ordered IS 1)
  AND looped.loop NOT IN (SELECT loop FROM busy)
-- One finding for each loop: its first query, and the first argument of that.
GROUP BY looped.loop
HAVING looped.call * 1000 + looped.ordinal = min(looped.call * 1000 + looped.ordinal)

-- Query for each element of a loop
-- severity: note
-- subject: loops
--
-- A loop asks for one row, or a few, with each of its elements. The number of queries is that of the elements, and each
-- pays for its own search, its own binding and its own way through the driver; one statement that takes them all pays
-- once.
--
-- Loops over a few elements that are written there are silent, and those over what a queue holds since the last time. So
-- is one that writes as well, in itself or in the helper that asks, for what it reads may depend on what it wrote; one
-- that ends with the element that it looked for; and one that waits for another machine, which takes longer than any
-- query. A query in a branch of the loop, or of the helper, is one for some elements only, as is one behind a map that
-- spares it where it can.
--
-- remedy: Ask once before the loop: with a list (`IN`, or `json_each(?)` for one of any length), with a join where
-- the elements are rows of another query, or with a range where they are numbers.
--
-- ignore: Where the loop has a few turns, or what it asks is in the cache already; SQLite runs in the program itself,
-- so that a query costs microseconds and no round trip.
WITH RECURSIVE looped AS MATERIALIZED (SELECT * FROM looped_lookup WHERE NOT conditional),
busy (loop) AS MATERIALIZED (
    SELECT loop FROM looped_statement WHERE kind IN ('insert', 'replace', 'update', 'delete')
    UNION
    SELECT loop FROM looped WHERE origin = 'last_result'
),
-- The functions that write, directly or through one or two others.
writer (function, apart) AS (
    SELECT function, 0 FROM statement
    WHERE kind IN ('insert', 'replace', 'update', 'delete') AND function IS NOT NULL AND role <> 'test'
    UNION
    SELECT call.caller, writer.apart + 1 FROM writer JOIN call ON call.callee = writer.function
    WHERE writer.apart < 2 AND call.caller IS NOT NULL
),
asked AS MATERIALIZED (
    SELECT * FROM looped
    WHERE looped.origin = 'loop_item' AND looped.loop_source IN ('rows', 'collection', 'range')
      AND NOT looped.loop_searches AND NOT looped.loop_writes AND NOT looped.loop_waits
      -- The first or last of many for each element is not asked for at once.
      AND NOT (looped.limited IS 1 AND looped.ordered IS 1)
      AND looped.loop NOT IN (SELECT loop FROM busy)
      -- A helper that looks up and stores does the work of one element.
      AND NOT EXISTS (
            SELECT 1 FROM call JOIN writer ON writer.function = call.callee WHERE call.id = looped.call)
)
SELECT
    asked.site,
    asked.statement,
    asked.database,
    asked."table",
    printf('each %s of this loop queries `%s` by `%s`%s', asked.turn, asked."table", asked.column, asked.through) AS message,
    asked.related
FROM asked
-- Of loops in one another the outermost, and of those of one function that ask the same the first.
WHERE NOT EXISTS (
        SELECT 1 FROM asked AS outer
        WHERE outer.outermost_loop = asked.outermost_loop AND outer.loop_depth < asked.loop_depth)
  AND NOT EXISTS (
        SELECT 1 FROM asked AS earlier
        WHERE earlier.caller = asked.caller AND earlier.statement = asked.statement AND earlier.call < asked.call
          AND earlier.loop <> asked.loop)
-- One finding for each loop: its first query, and the first argument of that.
GROUP BY asked.loop
HAVING asked.call * 1000 + asked.ordinal = min(asked.call * 1000 + asked.ordinal)

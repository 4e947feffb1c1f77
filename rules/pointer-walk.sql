-- Walk from row to row, one query per step
-- severity: note
-- subject: loops
--
-- Each turn of the loop asks for the row that the one before has named: a parent, a predecessor, the next in a list. Each
-- step is fast, and their number is the length of the walk, which grows with the table: from the newest block to an old
-- one it is a query per block between them.
--
-- A loop that asks for the next page of rows behind the last one is no such walk. One that ends by what another call
-- says of the place, of a table of another database or a map, could not be one statement; one that asks a cache in front
-- has its remedy.
--
-- remedy: Walk in one statement, with `WITH RECURSIVE`; or keep what was walked in a cache, or a column that leads further
-- back than one step.
--
-- ignore: Where the walk is short by nature, such as a depth that something limits.
WITH looped AS MATERIALIZED (
    SELECT * FROM looped_lookup
    WHERE origin = 'last_result' AND loop_source IN ('condition', 'range') AND NOT conditional AND NOT loop_asks
)
SELECT
    looped.site,
    looped.statement,
    looped.database,
    looped."table",
    printf('this loop walks `%s` one query at a time: each turn looks up the row that the last one led to%s', looped."table",
        looped.through) AS message,
    (SELECT printf('The walk in one statement, to be read as far as the loop goes: `%s`. Each step of it is `%s`.',
        instead.text, instead.step)
     FROM instead WHERE instead.statement = looped.statement AND instead.kind = 'walk') AS help,
    looped.related
FROM looped
-- A walk that writes with each step is no mere lookup.
WHERE looped.loop NOT IN (
    SELECT call.loop FROM call JOIN statement ON statement.id = call.statement
    WHERE call.loop IS NOT NULL AND statement.kind IN ('insert', 'replace', 'update', 'delete'))
-- One finding for each loop: the first call of it that the last turn leads to.
GROUP BY looped.loop
HAVING looped.call * 1000 + looped.ordinal = min(looped.call * 1000 + looped.ordinal)

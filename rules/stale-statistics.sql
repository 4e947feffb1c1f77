-- Statistics that are off by more than a factor of two
-- severity: note
-- subject: field
--
-- SQLite chooses its plans by what `ANALYZE` found when it was run last. Here a database in the field, or a file of its
-- statistics, has rows of `sqlite_stat1` that say another number of rows than the table has, by more than twice, and the
-- table grows. Where the numbers are far too small, SQLite takes a scan for cheap that is not; where tables have grown
-- by unequal factors, it joins them in the wrong order.
--
-- It is silent where there are fewer than a hundred rows, and where the bounds of an estimate leave room for doubt.
--
-- remedy: Let the program run `PRAGMA optimize` before it closes a connection, or now and then: it analyzes anew what has
-- changed enough.
--
-- ignore: Where the plans are right all the same; the rules on statements judge that.
SELECT
    file_table.site,
    'table:' || file_table.name AS object,
    variant.database,
    file_table.name AS "table",
    printf('the statistics of `%s` are of the time when it had %,d rows; now it has %s%,d', file_table.name, file_table.analyzed,
        iif(file_table.estimated, 'about ', ''), file_table.rows) AS message,
    'note' AS severity
FROM file_table
JOIN variant ON variant.id = file_table.variant
JOIN growing_table ON growing_table.database = variant.database AND growing_table."table" = file_table.name
WHERE file_table.stale

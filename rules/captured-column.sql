-- Column of a list that belongs to the row around it
-- severity: warning
-- subject: statements
--
-- A name without a table before it, in `IN (SELECT name FROM other)`, belongs to a table of the list if one has such a column, and
-- else, without a word, to a table around it: https://www.sqlite.org/lang_select.html. Where it is what the list holds, each row is
-- compared with itself, and the IN holds for all rows as soon as the list has one: a DELETE takes them all. Where the list compares
-- it, the list is made anew for each row around, and its rows are not narrowed by it.
--
-- Such a slip is an error in other places, where no table has the column, and it is none here.
--
-- remedy: Name the column that the table of the list has. Where the outer one is meant, say so by its table, or compare it outside of
-- the list.
SELECT
    coalesce(captured_column.site, judged.site) AS site,
    judged.id AS statement,
    judged.database,
    captured_column."table",
    printf('`%s` is no column of `%s`, and so that of `%s`: %s', captured_column.column, captured_column.within,
        captured_column."table",
        iif(captured_column.listed, 'each row is compared with itself, and not with what the list is to hold',
            'the list is made anew for each row around it')) AS message,
    printf('name a column of `%s`, or write `%s.%s` if that is meant', captured_column.within, captured_column."table",
        captured_column.column) AS help,
    CASE WHEN judged.quiet THEN 'note' WHEN captured_column.listed AND judged.kind IN ('delete', 'update') THEN 'error' END AS severity
FROM judged_statement AS judged
JOIN captured_column ON captured_column.statement = judged.id
-- Two texts of one place: once is enough.
GROUP BY coalesce(captured_column.site, judged.site), captured_column.column

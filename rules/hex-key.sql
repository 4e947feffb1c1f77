-- Hashes as text in several indexes
-- severity: note
-- subject: indexes
--
-- As text, each byte of a hash takes two, in the table and in each index that holds it: half as many entries fit on a page,
-- and the file outgrows the cache at half the rows. Measured on a table of coins: indexes of 1.8 times the size, and 4.4
-- pages written for each row in place of 3.8. It is told where two indexes or more of a growing table begin with such
-- columns, by their names; what the program stores is not looked at. The message says what a row writes at a million rows, of
-- which a transaction puts in a thousand; less, where many rows that come together share a value.
--
-- remedy: Store the bytes as BLOB in tables that are yet to be made, and use `hex()` where people read them. For a table that
-- is full, look first what the room is worth.
--
-- ignore: Where databases exist already and are not short of room: to convert them is a rebuild of the table.
SELECT
    coalesce(made.site, min(random_index.site)) AS site,
    random_index.database,
    random_index."table",
    printf('%d indexes of `%s` hold hashes as hex text, twice as long as their bytes: by %s; each row takes %d bytes in them, '
            || 'and writes %.1f pages',
        count(DISTINCT random_index."index"), random_index."table",
        replace(group_concat(DISTINCT '`' || random_index.column || '`'), '`,`', '`, `'), sum(random_index.bytes), sum(random_index.pages) / 100.0
    ) AS message
FROM random_index
JOIN schema_table AS made ON made.variant = random_index.variant AND made.name = random_index."table"
WHERE random_index.is_text
GROUP BY random_index.variant, random_index."table"
HAVING count(DISTINCT random_index."index") > 1

-- Random key that every index of the table carries
-- severity: note
-- subject: indexes
--
-- The rows of a WITHOUT ROWID table lie in the order of its primary key, and each of its indexes ends with that key. Where
-- the key is random, such as a hash, each row that is put in goes to another page of the table, with all its columns, and
-- an index on a column that has few values when rows are put in, such as a state, loses its order too: its entries are
-- sorted by the key within one value. Measured on a table of coins with four indexes at 1.6 million rows: 5.7 pages written
-- for each row, and 3.8 as a rowid table with the same key. The message says what a row writes at a million rows, where a
-- thousand are put in at a time.
--
-- It is silent on a table without other indexes, for which WITHOUT ROWID is right, and where a row writes hardly more than
-- in a table with rowids: less than a tenth.
--
-- remedy: Make the table anew without WITHOUT ROWID, in a new migration. The key stays unique.
--
-- ignore: Where rows are found by the whole key alone, and are much shorter than a page.
SELECT
    coalesce(made.site, random_index.site) AS site,
    random_index.database,
    random_index."table",
    printf('each of the %d indexes of `%s` carries its random key `%s`, since the table is WITHOUT ROWID: a row writes '
            || '%.1f pages, and %.1f in a table with rowids',
        count(*), random_index."table", random_index.column, row_price.pages / 100.0, row_price.rowid_pages / 100.0) AS message
FROM random_index
JOIN schema_table AS made ON made.variant = random_index.variant AND made.name = random_index."table" AND made.without_rowid
JOIN "index" AS other ON other.variant = random_index.variant AND other."table" = random_index."table"
    AND other.id <> random_index."index"
JOIN row_price ON row_price.variant = random_index.variant AND row_price."table" = random_index."table"
WHERE random_index.origin = 'primary_key' AND row_price.pages * 10 > row_price.rowid_pages * 11
GROUP BY random_index."index"

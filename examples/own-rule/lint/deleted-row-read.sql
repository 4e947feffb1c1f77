-- Read that finds deleted rows
-- severity: warning
--
-- A row of a table with a column `deleted_at` is not deleted but marked, so that the other devices learn of it. A query
-- that does not look at the column finds what the user has thrown away.
--
-- remedy: Add `deleted_at IS NULL` to the WHERE, or to the ON of an outer join; in the trash `deleted_at IS NOT NULL`.
SELECT
    reading.site,
    reading.id AS statement,
    reading.database,
    table_reference."table",
    printf('rows of `%s` are read without a look at `deleted_at`', table_reference."table") AS message
FROM live_statement AS reading
JOIN table_reference ON table_reference.statement = reading.id
JOIN base_variant ON base_variant.database = reading.database
JOIN schema_table ON schema_table.variant = base_variant.variant AND schema_table.name = table_reference."table"
JOIN column ON column.schema_table = schema_table.id AND column.name = 'deleted_at'
WHERE reading.kind = 'select'
  AND NOT EXISTS (
        SELECT 1 FROM filter
        WHERE filter.statement = reading.id
          AND filter."table" = table_reference."table"
          AND filter.column = 'deleted_at');

-- Statistics of tables that the schema does not have
-- severity: note
-- subject: field
--
-- A file of statistics names tables that the schema of its database has not: it is of another database, of one that other
-- programs write to as well, or of one before tables were dropped or renamed. What it says of them is of no use here.
--
-- remedy: Write it anew with `planlint stats`, from a database that the program of today has opened; or name the right
-- one under `stats`.
--
-- ignore: Where other programs keep tables of their own in the same database.
SELECT
    max(iif(lone.number = 1, lone.site, NULL)) AS site,
    lone.database,
    min(lone.name) AS "table",
    printf('the schema of `%s` lacks %s that the statistics are of: %s%s', database.name,
        iif(count(*) = 1, 'a table', printf('%d tables', count(*))),
        group_concat('`' || lone.name || '`', ', ') FILTER (WHERE lone.number <= 5),
        iif(count(*) > 5, ', …', '')) AS message
FROM (
    SELECT file_table.name, file_table.site, file_table.variant, variant.database,
        row_number() OVER (PARTITION BY file_table.variant ORDER BY file_table.name) AS number
    FROM file_table
    JOIN variant ON variant.id = file_table.variant
    JOIN base_variant ON base_variant.database = variant.database
    WHERE file_table.site IS NOT NULL
      AND file_table.site NOT IN (SELECT site FROM configured_table)
      AND NOT EXISTS (SELECT 1 FROM schema_table WHERE schema_table.variant = base_variant.variant
                      AND schema_table.name = file_table.name)
) AS lone
JOIN database ON database.id = lone.database
GROUP BY lone.variant

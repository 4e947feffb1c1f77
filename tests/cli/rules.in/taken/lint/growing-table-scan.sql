-- Table without STRICT
-- severity: warning
--
-- It takes a value of any type in any column.
--
-- remedy: Write STRICT behind its last parenthesis.
SELECT
    schema_table.site,
    schema_table.name AS "table",
    printf('the table `%s` is not STRICT', schema_table.name) AS message
FROM schema_table
JOIN base_variant ON base_variant.variant = schema_table.variant
WHERE schema_table.module IS NULL AND NOT schema_table.is_strict

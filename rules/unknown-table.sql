-- Configuration of a table that is not there
-- severity: warning
-- subject: suppressions
--
-- `growing`, `bounded` or `rows` of a database names a table that its schema does not have: the name is misspelt, or the
-- table was renamed or dropped. What is said of it has no effect, and what was to be said of another table is not said.
--
-- It is a note where a part of the schema is computed while the program runs: the table may be there.
--
-- remedy: Name the table as the schema does, or remove it from the configuration. `planlint check --list tables` lists the
-- tables of each database.
SELECT
    named.site,
    named.database,
    named.name AS "table",
    printf('`%s` names `%s`, and the schema of `%s` has no such table', named.key, named.name, database.name) AS message,
    iif(database.complete, NULL, 'note') AS severity
FROM configured_table AS named
JOIN database ON database.id = named.database
WHERE NOT EXISTS (SELECT 1 FROM schema_table JOIN variant ON variant.id = schema_table.variant
                  WHERE variant.database = named.database AND schema_table.name = named.name)

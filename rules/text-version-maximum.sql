-- Largest version of a column of text
-- severity: warning
-- subject: statements
--
-- Text compares character by character: '9' is larger than '10'. A program that keeps the number of its schema as text
-- and asks for the largest takes the database for one of version 9 for ever, and runs the migrations after it again at
-- each start.
--
-- remedy: Declare the column INTEGER, or ask for `max(CAST(version AS INTEGER))`.
WITH numbered AS (
    SELECT database, "table", column, max(number) AS greatest
    FROM written_text
    GROUP BY database, "table", column
    -- Each version has a row of its own, one after the other.
    HAVING count(DISTINCT value) = count(DISTINCT number) AND count(DISTINCT number) >= 2
       AND max(number) - min(number) < 2 * count(DISTINCT number) AND max(number) < 10000
)
SELECT
    statement.site,
    statement.id AS statement,
    statement.database,
    largest."table",
    printf(iif(numbered.greatest < 10, '`%s.%s` is text: once there is a 10, the largest is still ''9''',
        '`%s.%s` is text, and compares as text: ''9'' comes after ''%d'''), largest."table", largest.column,
        numbered.greatest) AS message,
    printf('ask for the largest of `CAST(%s AS INTEGER)`, or declare the column INTEGER', largest.column) AS help,
    (SELECT json_group_array(json_object('site', site, 'message', printf('''%s'' is written here', value)))
     FROM (SELECT DISTINCT site, value FROM written_text
           WHERE written_text.database = numbered.database AND written_text."table" = numbered."table"
             AND written_text.column = numbered.column AND site IS NOT NULL
           ORDER BY number DESC LIMIT 2)) AS related
FROM largest_text AS largest
JOIN judged_statement AS statement ON statement.id = largest.statement
JOIN numbered ON numbered.database = statement.database AND numbered."table" = largest."table"
    AND numbered.column = largest.column
-- Where it is updated, or the older ones are deleted, there is one row.
WHERE NOT EXISTS (
        SELECT 1 FROM write JOIN judged_statement AS writing ON writing.id = write.statement
        WHERE writing.database = statement.database AND write."table" = largest."table"
          AND (write.action = 'delete' OR (write.action = 'update' AND write.column = largest.column)))
  AND NOT EXISTS (
        SELECT 1 FROM table_step JOIN variant ON variant.id = table_step.variant
        WHERE variant.database = statement.database AND table_step."table" = largest."table"
          AND table_step.kind IN ('update', 'delete'))
  AND NOT EXISTS (
        SELECT 1 FROM table_size
        WHERE table_size.database = statement.database AND table_size."table" = largest."table"
          AND table_size.class = 'single')

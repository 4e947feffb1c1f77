-- Statements whose schema was not found
-- severity: note
--
-- Nothing in the tree creates the tables that these statements name, so that SQLite has nothing to plan them on, and
-- they are not judged. Often the schema is made by a tool, or declared in a way that was not recognised.
--
-- remedy: Say in planlint.toml where the schema is: `migrations` or `create` of a `[[database]]`.
SELECT
    min(judged.site) AS site,
    judged.database,
    printf('%d %s can''t be judged: nothing in the tree creates %s',
        count(DISTINCT judged.text_key || judged.site),
        iif(count(DISTINCT judged.text_key || judged.site) = 1, 'statement', 'statements'),
        coalesce(missing_words.tables, 'their tables')) AS message,
    'say where the schema of these statements is, in a `[[database]]` of planlint.toml' AS help
FROM judged_statement AS judged
JOIN database ON database.id = judged.database
LEFT JOIN missing_words ON missing_words.database = judged.database
WHERE database.found = 'missing'
GROUP BY judged.database

-- Statements whose schema was not found
-- severity: note
-- subject: statements
--
-- Nothing in the tree creates the tables that these statements name, so that SQLite has nothing to plan them on, and
-- they are not judged. Often the schema is made by a tool, or declared in a way that was not recognised.
--
-- remedy: Say in planlint.toml where the schema is: `migrations` or `create` of a `[[database]]`.
--
-- ignore: Where the tables are those of another program's database.
SELECT
    min(homeless.site) AS site,
    homeless.database,
    'database:' || (SELECT name FROM database WHERE database.id = homeless.database) AS object,
    printf('%d %s can''t be judged: nothing in the tree creates %s',
        count(DISTINCT homeless.site || homeless.text_key),
        iif(count(DISTINCT homeless.site || homeless.text_key) = 1, 'statement', 'statements'),
        coalesce(missing_words.tables, 'their tables')) AS message,
    'say where their schema is, in a `[[database]]` of planlint.toml' AS help
FROM homeless_statement AS homeless
LEFT JOIN missing_words ON missing_words.database = homeless.database
GROUP BY homeless.database

-- Index that only some databases have
-- severity: error
-- yields-to: failing-migration
-- subject: field
--
-- An index was added where a database is created, and nothing makes it in those that are there already: no migration, and
-- nothing that runs at every open; or a question, such as whether the tables are there, keeps it from running. New databases
-- are fast, each older one reads all of the table, and becomes slower with every row. No test shows it, since tests begin
-- with a new database. The reverse is as bad: what only a migration makes, a new database lacks.
--
-- The databases of each release are made as the release declares them, in memory, from git; then today's migrations run on
-- them, and what runs at every open.
--
-- remedy: Create the index in a migration as well, or at every open, with IF NOT EXISTS. Where a question decides whether that
-- runs, ask for the index itself.
--
-- ignore: Where no database of the older releases is in use any more: leave them out with `releases` in planlint.toml.
SELECT
    first.site,
    first.statement,
    first.database,
    first.variant,
    first."table",
    printf('%s lacks the index `%s`, by which %s: there %s more and more of `%s`', first.who, first.object,
        iif(count(*) = 1, 'a statement finds its rows', printf('%d statements find their rows', count(*))),
        iif(count(*) = 1, 'it reads', 'they read'), first."table") AS message,
    -- What it is on may be missing there as well.
    coalesce((
        SELECT 'such a database lacks ' || group_concat(DISTINCT '`' || lacking.object || '`') || ', too: add that first; then '
        FROM difference AS lacking
        JOIN variant ON variant.id = lacking.other AND (variant.kind = 'fresh') = first.fresh
        JOIN "index" ON "index".variant = lacking.variant AND "index".name = first.object
        JOIN index_column ON index_column."index" = "index".id AND index_column.column = lacking.object
        WHERE variant.database = first.database AND lacking.object_kind = 'column' AND lacking.property = 'exists'
          AND lacking.there IS NULL AND lacking."table" = first."table"), '')
    || CASE
        WHEN first.fresh THEN 'let what creates a database run it, too: '
        WHEN first.unless IS NOT NULL
            THEN printf('this runs only where %s is missing: look for `%s` there as well, so that an older database runs ',
                first.unless, first.object)
        ELSE 'add to the migrations, or to what runs at every open: ' END
        || CASE WHEN first.here LIKE 'CREATE INDEX %'
                    THEN printf('`%s`', replace(first.here, 'CREATE INDEX ', 'CREATE INDEX IF NOT EXISTS '))
                WHEN first.here LIKE 'CREATE UNIQUE INDEX %'
                    THEN printf('`%s`', replace(first.here, 'CREATE UNIQUE INDEX ', 'CREATE UNIQUE INDEX IF NOT EXISTS '))
                ELSE printf('a unique index on `%s`, as `%s`', first."table", first.here) END AS help,
    -- Where a part of the schema is computed, the index may be made there.
    CASE WHEN (SELECT NOT complete FROM database WHERE database.id = first.database) THEN 'note'
         WHEN min(missing.quiet) THEN 'warning' END AS severity,
    json_group_array(json_object('site', missing.statement_site, 'message', 'slow there')) AS related
FROM missing_index AS first
JOIN missing_index AS missing ON missing.database = first.database AND missing."table" = first."table"
    AND missing.object = first.object AND missing.fresh = first.fresh
WHERE first.number = 1
GROUP BY first.database, first."table", first.object, first.fresh

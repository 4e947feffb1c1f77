-- Migrations whose order is in doubt
-- severity: warning
-- subject: migrations
--
-- The numbers of migrations are the order in which they run. Where two have the same number, which is common after two
-- branches were merged, tools refuse to start, or run one of the two and take the other for done. Where code runs files
-- by their names as text, `10_…` comes before `2_…`. Where code names its files one by one, that is their order, and equal
-- numbers are silent; so they are where three or more are shared, for then whole names are likely to be the versions.
--
-- A number that is missing is worth a note: it may have been retired, or its file may not be there.
--
-- remedy: Give the migration that is not released yet the next number. Write numbers with zeros in front, all of the same
-- length, or sort by number.
--
-- ignore: Where a number was retired on purpose.
SELECT
    second.site,
    second.database,
    printf('two migrations have the number %d: `%s` has it too', second.number, first.path) AS message,
    'give the one that is not released yet the next number' AS help,
    NULL AS severity,
    json_array(json_object('site', first.site, 'message', 'the other one')) AS related
FROM series_file AS second
JOIN series_file AS first ON first.series = second.series AND first.number = second.number
    AND first.ordinal < second.ordinal
WHERE second.series NOT IN (SELECT id FROM series WHERE list IS NOT NULL)
  AND first.language IN ('sql', 'go') AND second.language IN ('sql', 'go')
  -- What runs before or behind the script of its number says so.
  AND (first.language = second.language
       OR NOT EXISTS (SELECT 1 FROM (SELECT '%\_pre\_%' AS phase UNION ALL SELECT '%\_pre.%' UNION ALL SELECT '%\_premigrat%'
                                     UNION ALL SELECT '%\_post\_%' UNION ALL SELECT '%\_post.%' UNION ALL SELECT '%\_postmigrat%')
                      WHERE first.path LIKE phase ESCAPE '\' OR second.path LIKE phase ESCAPE '\'))
  -- Where that is usual, the number alone is no version.
  AND second.series IN (SELECT series FROM (SELECT series, number, count(*) AS files FROM series_file GROUP BY series, number)
                        GROUP BY series
                        HAVING sum(files - 1) < 0.25 * sum(files) AND sum(files > 1) < 3)
UNION ALL
SELECT
    series_file.site,
    series_file.database,
    printf('in `%s` %s missing: %s', series.folder, iif(sum(here.number - here.before) = count(*) + 1,
        'a number is', 'numbers are'),
        group_concat(iif(here.number - here.before = 2, here.number - 1,
            printf('%d to %d', here.before + 1, here.number - 1)), ', ')),
    'if what had the number was retired, nothing is wrong; else a file is missing',
    'note',
    NULL
FROM (
    SELECT series, number, lag(number) OVER in_order AS before, row_number() OVER in_order AS place,
        count(*) OVER (PARTITION BY series) AS numbers,
        max(number) OVER (PARTITION BY series) - min(number) OVER (PARTITION BY series) + 1 AS width
    FROM (SELECT DISTINCT series, number FROM series_number)
    WINDOW in_order AS (PARTITION BY series ORDER BY number)
) AS here
JOIN series ON series.id = here.series
JOIN series_file ON series_file.series = here.series AND series_file.number = here.number
-- Times are no numbers in a row, nor are tens; what the first one replaces is meant to be gone.
WHERE here.number - here.before > 1 AND here.place > 2 AND here.numbers >= 0.75 * here.width
GROUP BY here.series
HAVING here.number = max(here.number)
UNION ALL
SELECT
    series.sorted,
    series.database,
    printf('the files of `%s` run in the order of their names: `%s` comes before `%s`', series.folder,
        late.path, early.path),
    'write the numbers with zeros in front, all of one length, or sort by number',
    NULL,
    json_array(json_object('site', late.site, 'message', 'runs too early'))
FROM series
JOIN series_file AS early ON early.series = series.id
JOIN series_file AS late ON late.series = series.id AND late.number > early.number AND late.by_name < early.by_name
WHERE series.sorted IS NOT NULL
GROUP BY series.id
HAVING late.number = min(late.number)

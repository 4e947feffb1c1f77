-- Suppressions that claim what is not so
-- severity: warning
-- stage: findings
-- subject: suppressions
--
-- `bounded=N` says that a table never has more rows than that. It is a claim: the configuration or another suppression can
-- say otherwise, and a bound is no pardon where the statement is slow at that very size, or where the size is that of a
-- table that grows. The finding that it accepts is as bad as before, so this is at least as bad.
--
-- remedy: Mend the statement; or correct the bound, here or where another is given.
WITH claimed AS (
    SELECT DISTINCT s.id, s.site, s.rule, s.bounded, f.severity, f.database, f.statement, f."table"
    FROM suppression AS s
    JOIN finding AS f ON f.suppression = s.id
    WHERE s.bounded IS NOT NULL
),
-- What the statement takes at the claimed size, by the largest measurement and the class.
cost AS (
    SELECT c.id, max(
        m.steps * (CAST(c.bounded AS REAL) / m.rows) * iif(g.class = 'quadratic', CAST(c.bounded AS REAL) / m.rows, 1)
    ) AS steps
    FROM claimed AS c
    JOIN growth AS g ON g.statement = c.statement AND g.class <> 'constant'
    JOIN measure AS m ON m.growth = g.id AND m.rows > 0
    WHERE m.rows = (SELECT max(rows) FROM measure WHERE growth = g.id) AND c.bounded > m.rows
    GROUP BY c.id, c.database, c."table"
),
contradiction AS (
    SELECT id, 'what it allows is about no table' AS message, NULL AS there FROM claimed WHERE "table" IS NULL
    UNION ALL
    SELECT id, 'a table of so many rows counts as growing: a bound ends at 10,000', NULL
    FROM claimed WHERE bounded > 10000
    UNION ALL
    SELECT c.id, iif(t.bound IS NULL, 'the configuration says that `' || c."table" || '` grows',
        'the configuration says that `' || c."table" || '` has at most ' || t.bound || ' rows'), NULL
    FROM claimed AS c
    JOIN table_size AS t ON t.database = c.database AND t."table" = c."table" AND t.found = 'configured'
    WHERE t.bound IS NOT c.bounded
    UNION ALL
    SELECT c.id, 'another suppression says at most ' || o.bounded || ' rows of `' || c."table" || '`', o.site
    FROM claimed AS c
    JOIN claimed AS o ON o.database = c.database AND o."table" = c."table" AND o.bounded > c.bounded
    UNION ALL
    SELECT c.id, 'at that size one run takes some ' || printf('%,d', x.steps) || ' steps of SQLite''s virtual machine', NULL
    FROM cost AS x JOIN claimed AS c ON c.id = x.id
    WHERE x.steps > 1000000 AND c.bounded <= 10000
)
SELECT
    c.site,
    c.database,
    c."table" AS "table",
    CASE max(CASE c.severity WHEN 'error' THEN 2 WHEN 'warning' THEN 1 ELSE 0 END)
        WHEN 2 THEN 'error' WHEN 1 THEN 'warning' ELSE 'note' END AS severity,
    'it says that ' || coalesce('`' || c."table" || '`', 'a table') || ' has at most ' || printf('%,d', c.bounded) || ' rows; '
        || group_concat(DISTINCT x.message) AS message,
    json_group_array(json_object('site', x.there, 'message', 'said here')) AS related
FROM claimed AS c
JOIN contradiction AS x ON x.id = c.id
GROUP BY c.id, c.database, c."table"

-- Statement that is slow on some databases alone
-- severity: warning
-- yields-to: missing-index-migration
-- subject: field
--
-- On the schema that all migrations declare the statement is fast; on one that databases in the field have it reads the more
-- the more there is: a column has another affinity there, or another collation, a key has its columns in another order.
--
-- remedy: Bring the older databases to the declared schema, by a migration that makes the table anew.
--
-- ignore: Where no database of those releases is in use any more: leave them out with `releases` in planlint.toml.
SELECT
    judged.site,
    judged.id AS statement,
    judged.database,
    max(worse.variant) AS variant,
    printf('this statement is slow on %s, and fast as declared',
        CASE WHEN count(DISTINCT worse.variant) > 1 THEN 'databases of some releases'
             WHEN max(variant.kind = 'fresh') THEN 'a new database'
             ELSE 'databases made by ' || max(release.name) || iif(max(variant.first_release) = max(variant.last_release), '',
                 ' and before') END) AS message,
    iif(judged.quiet, 'note', NULL) AS severity
FROM worse_there AS worse
JOIN judged_statement AS judged ON judged.id = worse.statement AND judged.role <> 'migration'
JOIN variant ON variant.id = worse.variant
LEFT JOIN release ON release.id = variant.last_release
WHERE worse.statement NOT IN (SELECT statement FROM missing_index)
GROUP BY judged.id

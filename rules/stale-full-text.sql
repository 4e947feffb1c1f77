-- Full-text table that finds rows by words which they no longer have
-- severity: warning
-- subject: indexes
--
-- A full-text table has the words of another table as its triggers give them, and loses them as its triggers take them away. It
-- was tried on a row: once the row is changed or gone, it is still found by its old words. Who searches is shown rows that do not
-- match, or rows that are gone; where the values come from the other table, reading them can fail as "database disk image is malformed".
--
-- The usual cause: where the full-text table has its values from another one, `content='…'`, a DELETE looks the old words up there.
-- A trigger that runs AFTER the change finds the new ones, or none: https://www.sqlite.org/fts5.html#external_content_tables.
-- REPLACE deletes rows without the DELETE triggers, unless they are recursive.
--
-- That no trigger is there at all counts where a statement makes that change. Silent where a statement writes to the full-text
-- table by itself.
--
-- remedy: A trigger that takes the old words out, as SQLite's documentation has it. What is in the table already is mended by
-- `INSERT INTO t (t) VALUES ('rebuild')`, or by filling it anew.
--
-- ignore: Where rows never change once they are in.
WITH stale AS MATERIALIZED (
    SELECT base_variant.database, upkeep.variant, upkeep.full_text, upkeep."table", upkeep.content, upkeep.change,
        max(upkeep.trigger) FILTER (WHERE NOT upkeep.keeps) AS trigger,
        group_concat('`' || upkeep.column || '`', ', ' ORDER BY upkeep.rowid) FILTER (WHERE NOT upkeep.keeps) AS columns,
        sum(upkeep.keeps) > 0 AS is_partly
    FROM upkeep
    JOIN base_variant ON base_variant.variant = upkeep.variant
    GROUP BY upkeep.variant, upkeep.full_text, upkeep."table", upkeep.change
    HAVING NOT min(upkeep.keeps)
), writing AS MATERIALIZED (
    -- What the triggers leave, a statement may do; one that mends the whole table is run now and then.
    SELECT DISTINCT statement.database, write."table"
    FROM live_statement AS statement
    JOIN write ON write.statement = statement.id AND write.through IS NULL
    WHERE statement.text NOT LIKE '%''rebuild''%'
), changing AS MATERIALIZED (
    SELECT DISTINCT stale.variant, stale.full_text, stale."table", stale.change, statement.id AS statement, statement.site
    FROM stale
    JOIN live_statement AS statement ON statement.database = stale.database
    JOIN write ON write.statement = statement.id AND write.schema = 'main' AND write."table" = stale."table"
    WHERE CASE stale.change
        WHEN 'update' THEN write.action = 'update' AND EXISTS (
            SELECT 1 FROM upkeep
            WHERE upkeep.variant = stale.variant AND upkeep.full_text = stale.full_text AND upkeep."table" = stale."table"
              AND upkeep.change = 'update' AND NOT upkeep.keeps AND upkeep.column = write.column)
        WHEN 'delete' THEN write.action = 'delete'
        -- Only a row whose key is given can be there already.
        ELSE statement.kind = 'replace' AND write.through IS NULL AND write.action = 'insert'
            AND EXISTS (
                  SELECT 1 FROM given_key
                  WHERE given_key.statement = statement.id AND given_key.variant = stale.variant AND given_key."table" = stale."table") END
)
-- A trigger that is there for it, and does not do it.
SELECT
    trigger.site,
    NULL AS statement,
    stale.database,
    stale."table",
    printf('once %s, `%s` still finds it by its %swords: the trigger `%s` does not take them out',
        iif(stale.change = 'delete', printf('a row of `%s` is deleted', stale."table"),
            printf('%s of a row of `%s` is changed', stale.columns, stale."table")),
        stale.full_text, iif(stale.change = 'delete', '', 'old '), trigger.name) AS message,
    iif(schema_table.module = 'fts5' AND stale.content IS NOT NULL,
        printf('`%s` has its values from `%s`, where a DELETE would look the old words up, and they are gone by then: '
            || '`INSERT INTO %s (%s, rowid, …) VALUES (''delete'', old.rowid, old.…)` takes them out',
            stale.full_text, stale.content, stale.full_text, stale.full_text),
        iif(stale.content IS NOT NULL,
            printf('`%s` has its values from `%s`, where a DELETE looks the old words up: a trigger BEFORE the change finds them there',
                stale.full_text, stale.content), NULL)) AS help,
    json_array(json_object('site', schema_table.site, 'message', 'the full-text table')) AS related
FROM stale
JOIN trigger ON trigger.id = stale.trigger
LEFT JOIN schema_table ON schema_table.variant = stale.variant AND schema_table.schema = 'main' AND schema_table.name = stale.full_text
WHERE stale.change <> 'replace' AND NOT stale.is_partly AND (stale.database, stale.full_text) NOT IN writing
UNION ALL
-- None is there, or none that fires.
SELECT
    changing.site,
    changing.statement,
    stale.database,
    stale."table",
    CASE stale.change
        WHEN 'update' THEN printf('this changes `%s`, and no trigger takes the old words of %s out of `%s`, which still finds the row by them',
            stale."table", stale.columns, stale.full_text)
        WHEN 'delete' THEN printf('this deletes rows of `%s`, and no trigger takes their words out of `%s`, which still finds them',
            stale."table", stale.full_text)
        ELSE printf('this replaces rows of `%s`: the row that was there goes without a DELETE trigger, and `%s` still finds its words',
            stale."table", stale.full_text) END,
    iif(stale.change = 'replace', '`INSERT … ON CONFLICT (…) DO UPDATE SET …` fires the UPDATE triggers; `PRAGMA recursive_triggers = ON` has '
        || 'REPLACE fire those of DELETE', NULL),
    json_array(json_object('site', schema_table.site, 'message', 'the full-text table'))
FROM stale
JOIN changing ON changing.variant = stale.variant AND changing.full_text = stale.full_text AND changing."table" = stale."table"
    AND changing.change = stale.change
LEFT JOIN schema_table ON schema_table.variant = stale.variant AND schema_table.schema = 'main' AND schema_table.name = stale.full_text
WHERE (stale.change = 'replace' OR stale.trigger IS NULL OR stale.is_partly)
  AND (stale.database, stale.full_text) NOT IN writing

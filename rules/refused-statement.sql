-- Statement that SQLite refuses
-- severity: warning
-- subject: statements
--
-- SQLite can't compile the statement on the schema that the migrations make, so that it fails whenever it runs: a name
-- is misspelt, a column was renamed or dropped, a word belongs to another database system.
--
-- Of several texts that choices make of one, those whose parts do not fit together are not told: they never run.
--
-- A function, collation or module that SQLite does not know may be one that the program registers: then this is a note. So is it
-- where a table is missing that another database has, and both are guessed: they may be one; and where other statements on the
-- table can't be judged, since nothing in the tree creates it.
--
-- remedy: Correct the statement, or the schema. What the program registers at run time belongs in planlint.toml, under
-- functions, collations and modules of its database.
--
-- ignore: Where the statement is for a database that is not in the tree: name its schema, or list the file under
-- `exclude`.
SELECT
    coalesce(refusal.site, judged.site) AS site,
    judged.id AS statement,
    judged.database,
    refusal.variant,
    NULL AS "table",
    printf('SQLite refuses this statement: %s', refusal.message) AS message,
    CASE refusal.kind
        WHEN 'no_such_function' THEN printf('if the program registers `%s`, list it under `functions`', refusal.name)
        WHEN 'no_such_collation' THEN printf('if the program registers `%s`, list it under `collations`', refusal.name)
        WHEN 'no_such_module' THEN printf('if the program registers `%s`, list it under `modules`', refusal.name)
        ELSE coalesce(
            (SELECT printf('`%s` is a table of `%s`: if both are one database, or attached, say so in planlint.toml', refusal.name, min(owner))
             FROM other_home WHERE other_home.refusal = refusal.id HAVING count(*) > 0),
            'did you mean `' || refusal.near || '`?') END AS help,
    iif(judged.quiet OR refusal.id IN (SELECT refusal FROM other_home)
        OR (refusal.kind = 'no_such_table' AND EXISTS (
            SELECT 1 FROM homeless_statement AS other
            WHERE other.database = judged.database AND other.missing = replace(lower(refusal.name), 'main.', '')))
        OR refusal.kind IN ('no_such_function', 'no_such_collation', 'no_such_module')
        OR ((NOT database.complete OR database.id IN (SELECT database FROM begun_database)) AND refusal.kind NOT IN ('syntax', 'incomplete')), 'note', NULL) AS severity
FROM judged_statement AS judged
JOIN database ON database.id = judged.database
JOIN refusal ON refusal.id = (
    SELECT refused.id FROM refused WHERE refused.statement = judged.id AND refused.is_base
    ORDER BY refused.id LIMIT 1)
WHERE judged.role <> 'migration'
  AND judged.id NOT IN (SELECT statement FROM homeless_statement)
  AND NOT (refusal.kind = 'other' AND EXISTS (
        SELECT 1 FROM statement AS choice
        WHERE choice.site = judged.site AND choice.branch <> judged.branch
          AND choice.id NOT IN (SELECT refusal.statement FROM refusal)))
  AND (judged.sink_kind <> 'none'
       OR EXISTS (SELECT 1 FROM table_reference JOIN schema_table ON schema_table.name = table_reference."table"
                  WHERE table_reference.statement = judged.id))

-- Index, trigger or view lost in a rebuild of its table
-- severity: warning
-- subject: losses
--
-- To change a table in ways that ALTER TABLE can't, a migration makes a new one, copies the rows, drops the old one and
-- gives its name to the new one. With the old table go its indexes and its triggers, and SQLite says nothing: they have
-- to be made again. A view on the old table stays, and no longer works.
--
-- Where what creates a new database makes none either, and no statement needs it, it was to go, and this is silent.
--
-- It is an error where a statement of the running program needs what was lost, and no index begins with the same column. Databases that were made before have lost
-- it too, so that the step that makes it again has to be a new one if this one was released.
--
-- remedy: Create it again after the rename, under the same name. If it was to go, say so: drop it by name before.
--
-- ignore: Where it was meant to go: then drop it by name before the table.
SELECT
    migration_step.site,
    migration.database,
    lost."table",
    printf('`%s` is rebuilt without %s%s', lost."table",
        group_concat(printf('its %s `%s`', lost.kind, lost.object), ', '),
        iif(min(lost.is_on_new), printf('; new databases have %s', iif(count(*) = 1, 'it', 'them')), '')) AS message,
    group_concat(CASE lost.kind
        WHEN 'index' THEN printf('%s: `CREATE %sINDEX %s%s ON %s %s`',
            iif(lost.is_on_new, 'add a migration that makes it', 'create it again'), iif(lost.text GLOB 'UNIQUE (*', 'UNIQUE ', ''),
            iif(lost.is_on_new, 'IF NOT EXISTS ', ''), lost.object, lost."table",
            iif(lost.text GLOB 'UNIQUE (*', substr(lost.text, 8), lost.text))
            || iif(lost.holders IS NULL, '', printf(', unless %s will do, with the same first column', lost.holders))
        ELSE printf(iif(lost.is_on_new, 'add a migration that makes the trigger `%s`', 'create the trigger `%s` again'), lost.object)
        END, '; ') AS help,
    iif(max(lost.is_needed AND lost.holders IS NULL), 'error', NULL) AS severity,
    (SELECT json_group_array(json_object('site', site, 'message', text))
     FROM (SELECT other.site, printf('the %s `%s` is made here', other.kind, other.object) AS text
           FROM lost_object AS other
           WHERE other.experiment = lost.experiment AND other.kind <> 'view' AND other.site IS NOT NULL
           UNION ALL
           SELECT statement.site, printf('this statement needs `%s`', other.object)
           FROM lost_object AS other
           JOIN missed ON missed.loss = other.id
           JOIN live_statement AS statement ON statement.id = missed.statement
           WHERE other.experiment = lost.experiment AND other.kind <> 'view'
           GROUP BY other.id, statement.site)) AS related
FROM lost_object AS lost
JOIN experiment ON experiment.id = lost.experiment
JOIN migration_step ON migration_step.id = experiment.step
JOIN migration ON migration.id = migration_step.migration
WHERE lost.kind <> 'view'
  -- What a new database is made without as well was to go.
  AND (lost.is_on_new OR lost.is_needed
       OR NOT EXISTS (SELECT 1 FROM database WHERE database.id = migration.database AND database.snapshot))
  -- Where older databases are known, what they lack is told of them.
  AND NOT (lost.is_on_new AND EXISTS (
        SELECT 1 FROM missing_index
        WHERE missing_index.database = migration.database AND missing_index."table" = lost."table"
          AND missing_index.object = lost.object))
GROUP BY lost.experiment
UNION ALL
SELECT
    migration_step.site,
    migration.database,
    lost."table",
    printf('the view `%s` no longer works: what it reads goes with the old `%s`', lost.object, lost."table"),
    printf('drop the view `%s` before the table, and create it again after it', lost.object),
    iif(lost.is_needed, 'error', NULL),
    json_array(json_object('site', lost.site, 'message', 'the view is made here'))
FROM lost_object AS lost
JOIN experiment ON experiment.id = lost.experiment
JOIN migration_step ON migration_step.id = experiment.step
JOIN migration ON migration.id = migration_step.migration
WHERE lost.kind = 'view'

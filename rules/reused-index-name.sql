-- Index name that is used twice
-- severity: warning
-- yields-to: needed-index-dropped
-- subject: indexes
--
-- The names of indexes are global to a database. `CREATE INDEX IF NOT EXISTS` with a name that is taken does nothing,
-- even where it describes another index, and `DROP INDEX` drops whatever has the name. Either way the index that the
-- program counts on is not there, and nothing says so.
--
-- remedy: Give the index a name of its own, in a new migration if this one was released.
SELECT
    clash.site,
    clash.database,
    clash."table",
    printf('the index `%s` is not created here: the name is taken by another index, on %s', clash.object,
        coalesce('`' || iif(taken.definition = clash.definition, NULL, taken."table") || '`', 'another table')) AS message,
    iif(source.role <> 'production', 'note', NULL) AS severity,
    json_array(json_object('site', taken.site, 'message', 'the name is taken here')) AS related
FROM index_step AS clash
JOIN site ON site.id = clash.site
JOIN source ON source.id = site.source
JOIN index_step AS taken ON taken.variant = clash.variant AND taken.object = clash.object
WHERE clash.kind = 'create_index' AND clash.outcome = 'nothing'
  AND taken.experiment = (
        SELECT before.experiment FROM index_step AS before
        WHERE before.variant = clash.variant AND before.object = clash.object AND before.ordinal < clash.ordinal
          AND before.kind = 'create_index' AND before.outcome = 'done'
        ORDER BY before.ordinal DESC LIMIT 1)
  -- An index goes with its table when that gets another name, and its place is taken by a new table that stays.
  AND (taken.definition <> clash.definition OR (EXISTS (
        SELECT 1 FROM table_step AS made
        JOIN migration_step ON migration_step.id = made.step
        WHERE made.variant = clash.variant AND made."table" = clash."table" AND made.ordinal < clash.ordinal
          AND made.ordinal > taken.ordinal AND made.kind = 'create_table' AND made.outcome = 'done'
          AND migration_step.schema IS NOT 'temp'
          AND NOT EXISTS (
                SELECT 1 FROM table_step AS dropped
                WHERE dropped.variant = clash.variant AND dropped."table" = clash."table" AND dropped.kind = 'drop_table'
                  AND dropped.ordinal > made.ordinal AND dropped.ordinal < clash.ordinal))))
  -- Where the index of the same columns is dropped with its table later on, that loss is told.
  AND (substr(taken.definition, instr(taken.definition, '(')) <> substr(clash.definition, instr(clash.definition, '(')) OR NOT EXISTS (
        SELECT 1 FROM loss JOIN experiment ON experiment.id = loss.experiment
        WHERE experiment.variant = clash.variant AND loss.kind = 'index' AND loss.object = clash.object))
  -- A later step makes it after all, when the name is free.
  AND NOT EXISTS (
        SELECT 1 FROM index_step AS after
        WHERE after.variant = clash.variant AND after.object = clash.object AND after.ordinal > clash.ordinal
          AND after.kind = 'create_index' AND after.outcome = 'done' AND after.last_name = clash.last_name
          AND substr(after.definition, instr(after.definition, '(')) = substr(clash.definition, instr(clash.definition, '('))
          AND after.is_unique = clash.is_unique)
  -- Its column is gone in the end, and who has the name was dropped for that.
  AND NOT (
        EXISTS (SELECT 1 FROM index_step AS gone
                WHERE gone.variant = clash.variant AND gone.object = clash.object AND gone.ordinal > clash.ordinal
                  AND gone.kind = 'drop_index' AND gone.outcome = 'done')
        AND EXISTS (SELECT 1 FROM schema_table AS last
                    WHERE last.variant = clash.variant AND last.name = clash.last_name
                      AND NOT EXISTS (
                            SELECT 1 FROM column
                            WHERE column.schema_table = last.id
                              AND instr(replace(replace(replace(clash.definition, '(', ' '), ')', ' '), ',', ' ') || ' ',
                                        ' ' || column.name || ' '))))
UNION ALL
SELECT
    victim.site,
    victim.database,
    victim."table",
    printf('the index `%s` is dropped again each time the database is opened', victim.object),
    NULL,
    json_array(
        json_object('site', dropped.site, 'message', 'dropped here, whatever index has the name'),
        json_object('site', older.site, 'message', 'the name was that of another index before'))
FROM index_step AS dropped
JOIN index_step AS victim ON victim.experiment = (
    SELECT before.experiment FROM index_step AS before
    WHERE before.variant = dropped.variant AND before.object = dropped.object AND before.ordinal < dropped.ordinal
      AND before.kind = 'create_index' AND before.outcome = 'done'
    ORDER BY before.ordinal DESC LIMIT 1)
JOIN index_step AS older ON older.experiment = (
    SELECT before.experiment FROM index_step AS before
    WHERE before.variant = dropped.variant AND before.object = dropped.object AND before.ordinal < victim.ordinal
      AND before.kind = 'create_index' AND before.definition <> victim.definition
    ORDER BY before.ordinal DESC LIMIT 1)
WHERE dropped.kind = 'drop_index' AND dropped.outcome = 'done' AND dropped.origin = 'open'
  AND NOT EXISTS (
        SELECT 1 FROM index_step AS after
        WHERE after.variant = dropped.variant AND after.object = dropped.object AND after.ordinal > dropped.ordinal
          AND after.kind = 'create_index' AND after.outcome = 'done')

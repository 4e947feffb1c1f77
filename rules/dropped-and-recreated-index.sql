-- Index that is dropped and created again as it was
-- severity: note
-- subject: migrations
--
-- To make an index, SQLite reads and sorts the whole table. An index that is dropped and made again with the same
-- columns is what it was before, and on a large table the upgrade takes minutes for nothing. Where each opening of the
-- database does it, each start of the program takes as long.
--
-- It is worth it around work that changes much of the table: a large INSERT, UPDATE or DELETE is faster without the
-- index. Some changes of columns need it.
--
-- remedy: Take both out, or make the index with IF NOT EXISTS alone. To build an index anew there is REINDEX.
--
-- ignore: Around a change of most rows of the table: then it is faster without the index.
SELECT
    dropped.site,
    dropped.database,
    made."table",
    printf('the index `%s` is dropped%s, and then made again as it was; the table `%s` %s', dropped.object,
        iif(pair.repeated, ' each time the database is opened', ''), made."table", growing_table.how) AS message,
    iif(pair.repeated AND NOT growing_table.quiet, 'warning', NULL) AS severity,
    json_array(json_object('site', again.site, 'message', 'made again here')) AS related
FROM index_step AS dropped
JOIN index_step AS made ON made.experiment = (
    SELECT before.experiment FROM index_step AS before
    WHERE before.variant = dropped.variant AND before.object = dropped.object AND before.ordinal < dropped.ordinal
      AND before.kind = 'create_index' AND before.outcome = 'done'
    ORDER BY before.ordinal DESC LIMIT 1)
JOIN index_step AS again ON again.experiment = (
    SELECT after.experiment FROM index_step AS after
    WHERE after.variant = dropped.variant AND after.object = dropped.object AND after.ordinal > dropped.ordinal
      AND after.outcome = 'done'
    ORDER BY after.ordinal LIMIT 1)
JOIN migration_pair AS pair ON pair.first = dropped.migration AND pair.second = again.migration
JOIN growing_table ON growing_table.database = dropped.database AND growing_table."table" = made."table"
JOIN site AS first ON first.id = dropped.site
JOIN site AS last ON last.id = again.site
WHERE dropped.kind = 'drop_index' AND dropped.outcome = 'done'
  -- What a new database is made with is not what its migrations find in older ones.
  AND NOT (dropped.origin = 'migration' AND made.origin <> 'migration'
        AND (SELECT snapshot FROM database WHERE database.id = dropped.database))
  AND again.kind = 'create_index' AND again.definition = made.definition
  AND NOT EXISTS (
        SELECT 1 FROM table_step
        WHERE table_step.variant = dropped.variant AND table_step."table" = made."table"
          AND table_step.ordinal BETWEEN dropped.ordinal AND again.ordinal)
  -- The program may do the work itself, between the two.
  AND NOT EXISTS (
        SELECT 1 FROM statement JOIN site ON site.id = statement.site
        WHERE site.source = first.source AND site.start BETWEEN first.end AND last.start
          AND statement.kind IN ('insert', 'replace', 'update', 'delete'))
  AND NOT EXISTS (
        SELECT 1 FROM call JOIN site ON site.id = call.site
        WHERE site.source = first.source AND site.start BETWEEN first.end AND last.start
          AND (call.callee IS NOT NULL OR call.loop_depth > 0))

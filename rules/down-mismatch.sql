-- Down migration that does not undo its up migration
-- severity: note
-- subject: migrations
--
-- The migration was run and then undone. The schema is not what it was before: an object is missing, or is left over.
--
-- remedy: Let the step down drop what the step up creates, and make again what it drops.
--
-- ignore: Where nobody steps down, or what is left over is meant to stay.
SELECT
    tried.site,
    tried.database,
    loss."table",
    printf('undoing `%s` does not give back the schema before it: %s', tried.name,
        group_concat(printf('%s %s', loss.object, loss.text), '; ' ORDER BY loss.id)) AS message,
    'let the step down undo this' AS help
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE tried.kind = 'undone' AND loss.kind = 'schema'
GROUP BY tried.experiment

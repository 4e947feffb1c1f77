-- Open path that can't run twice
-- severity: error
-- subject: migrations
--
-- The configuration says that this runs whenever a database is opened. It was run a second time on what it had made: it
-- failed, or added rows again. The first start of the program works, and so does a test; the second one does not.
--
-- remedy: Say IF NOT EXISTS, INSERT OR IGNORE, or run it only where it is needed, by `user_version`.
SELECT
    tried.site,
    tried.database,
    tried."table",
    CASE WHEN loss.id IS NULL THEN printf('this fails when the database is opened again: %s', tried.message)
        ELSE printf('this adds rows to `%s` whenever the database is opened', loss."table") END AS message,
    CASE WHEN loss.id IS NULL THEN 'say IF NOT EXISTS, or run it only once' ELSE 'say INSERT OR IGNORE with a key, or run it only once' END AS help,
    iif(loss.id IS NULL, NULL, 'warning') AS severity
FROM row_experiment AS tried
LEFT JOIN loss ON loss.experiment = tried.experiment
WHERE tried.kind = 'reopened'

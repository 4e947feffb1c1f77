-- Migration that can't run again after an interruption
-- severity: warning
-- subject: migrations
--
-- No transaction holds the statements of this migration together. It was stopped before each of them, as if the power had
-- failed there, and run again from its beginning, as the next start of the program does. It failed: what it had done was
-- in its way. Such a database needs a hand.
--
-- A migration of which all is done, and whose version is not recorded yet, runs again as well. Where it fails then, that is a
-- note at the newest such migration of a database: the next ones are written in the same way.
--
-- remedy: Put the migration and the new version into one transaction: BEGIN IMMEDIATE … COMMIT.
--
-- ignore: Where a database that breaks here is thrown away and made again, as a cache is.
SELECT
    tried.site,
    tried.database,
    tried."table",
    printf('if the process ends right before this, the migration fails when it runs again: %s', tried.message) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already, and databases past it are not hurt; put a transaction around the next ones', tried.released_in),
        'put BEGIN and COMMIT around it, with the statement that records the version') AS help,
    tried.quieter_warning AS severity
FROM row_experiment AS tried
WHERE tried.kind = 'stopped' AND tried.outcome = 'failed'
UNION ALL
SELECT
    tried.site,
    tried.database,
    tried."table",
    printf('if the process ends right after this, before the version is recorded, the migration fails when it runs again: %s', tried.message),
    'put the statement that records the version into one transaction with it',
    'note'
FROM row_experiment AS tried
WHERE tried.kind = 'unrecorded' AND tried.outcome = 'failed'
  AND NOT EXISTS (
        SELECT 1 FROM row_experiment AS later
        WHERE later.database = tried.database AND later.kind = 'unrecorded' AND later.outcome = 'failed' AND later.step > tried.step)

-- Migration that ends the transaction of its runner
-- severity: warning
-- subject: migrations
--
-- What runs the migrations puts each into a transaction, so that it is done with its version or not at all. A COMMIT or
-- ROLLBACK in the text ends it: what follows is no part of it. If that fails, or the process ends, the first half
-- stays, the version is the old one, and the next start runs it again.
--
-- remedy: Leave BEGIN and COMMIT out, or tell the runner not to use a transaction for this one.
SELECT
    tried.site,
    tried.database,
    NULL AS "table",
    'this ends the transaction of the migration: what comes after it is not rolled back with it' AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already, and databases past it are not hurt; leave it out of the next ones', tried.released_in),
        'leave it out, or tell the runner to run this migration without a transaction') AS help,
    tried.quieter_warning AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'transaction'

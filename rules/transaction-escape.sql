-- Migration that ends the transaction of its runner
-- severity: warning
--
-- What runs the migrations puts each into a transaction, so that it is done with its version or not at all. A COMMIT or
-- ROLLBACK in the text ends it: what comes behind is no part of it. If that fails, or the process ends, the first half
-- stays, the version is the old one, and the next start runs it again.
--
-- remedy: Leave BEGIN and COMMIT out, or tell the runner not to use a transaction for this one.
SELECT
    tried.site,
    tried.database,
    NULL AS "table",
    printf('this ends the transaction in which `%s` runs: what comes behind it does not go back with it', tried.name) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has it already: who is past it is not hurt; leave it out of the next ones', tried.released_in),
        'leave it out, or tell the runner to run this migration without a transaction') AS help,
    tried.quieter_warning AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'transaction'

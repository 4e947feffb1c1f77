-- Table rebuilt by CREATE TABLE AS
-- severity: warning
-- subject: losses
--
-- CREATE TABLE AS takes the names and the rows of a query, and nothing else: no key, no UNIQUE, no NOT NULL, no default,
-- no foreign key, and of the types only the affinity. A table that takes the place of another one by this way has lost
-- all of these, and SQLite says nothing.
--
-- remedy: Write out the CREATE TABLE, and copy with INSERT … SELECT.
--
-- ignore: Where the copy is for a while only, and no table of the program.
SELECT
    tried.site,
    tried.database,
    loss."table",
    printf('`%s` is rebuilt by CREATE TABLE AS, and loses %s', loss."table",
        group_concat(loss.text, ', ' ORDER BY loss.id)) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: let a new migration make `%s` anew, with its constraints', tried.released_in, loss."table"),
        'write out the CREATE TABLE with its constraints, and copy with INSERT … SELECT') AS help,
    tried.quieter_warning AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'constraint'
GROUP BY tried.experiment, loss."table"

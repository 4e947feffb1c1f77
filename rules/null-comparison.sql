-- Comparison with NULL
-- severity: warning
-- subject: statements
--
-- `= NULL` and `!= NULL` are NULL for each row, also for one that holds NULL, and a WHERE takes NULL for false: the
-- condition finds nothing, and the statement fails at nothing. Only IS and IS NOT compare with NULL.
--
-- In a migration it is a note: where that has run, another one has to do what it was to do.
--
-- remedy: Write `IS NULL` or `IS NOT NULL`.
SELECT
    coalesce(predicate.site, judged.site) AS site,
    judged.id AS statement,
    judged.database,
    predicate."table",
    printf('`%s%s NULL` is true of no row: nothing equals NULL, nor differs from it',
        iif(predicate.wrapper IS NULL, predicate.column || ' ', ''), predicate.operator) AS message,
    printf('write `%s`', iif(predicate.operator = '=', 'IS NULL', 'IS NOT NULL')) AS help,
    iif(judged.quiet OR judged.role = 'migration', 'note', NULL) AS severity
FROM judged_statement AS judged
JOIN predicate ON predicate.statement = judged.id
WHERE predicate.clause IN ('where', 'join', 'having')
  AND predicate.operator IN ('=', '<>')
  AND predicate.literal = 'NULL' COLLATE NOCASE AND predicate.column IS NOT NULL
  -- What a helper gives for a value that is missing says nothing of a caller that has one.
  AND NOT predicate.put_in
  -- Two texts of one place: once is enough.
GROUP BY coalesce(predicate.site, judged.site), predicate.column

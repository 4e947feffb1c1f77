-- Parameter within quotes
-- severity: warning
-- subject: statements
--
-- `'?3'` and `'%?%'` are texts: SQLite sees no parameter within quotes. The statement looks for rows that have this very text, and finds
-- none; a value that is bound for it is one too many, which some drivers refuse, and others pass over.
--
-- Told of what can hardly be meant as a text: a number behind the mark, a pattern around it, a bound of a range. `= '?'` may be a text
-- that rows have.
--
-- remedy: Take the quotes away; a pattern is put together of `'%' || ?1 || '%'`, or in the value that is bound.
SELECT
    coalesce(predicate.site, judged.site) AS site,
    judged.id AS statement,
    judged.database,
    predicate."table",
    printf('`%s` is a text, and no parameter: no row is found by what is bound for it', predicate.literal) AS message,
    iif(predicate.literal NOT GLOB '*%*', 'take the quotes away',
        'put the pattern into the value, or write `''%'' || ? || ''%''`') AS help,
    iif(judged.quiet OR judged.role = 'migration', 'note', NULL) AS severity
FROM judged_statement AS judged
JOIN predicate ON predicate.statement = judged.id
WHERE predicate.clause IN ('where', 'join', 'having', 'set')
  AND (predicate.literal GLOB '''[?$][0-9]''' OR predicate.literal GLOB '''[?$][0-9][0-9]'''
       OR (predicate.literal = '''?''' AND predicate.operator IN ('<', '<=', '>', '>=', 'BETWEEN'))
       OR (predicate.operator IN ('LIKE', 'NOT LIKE')
           AND (predicate.literal IN ('''%?%''', '''%?''', '''?%''') OR predicate.literal GLOB '''%[?][0-9]%''')))
-- Two texts of one place: once is enough.
GROUP BY coalesce(predicate.site, judged.site), predicate.column

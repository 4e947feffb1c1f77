-- Parameter within quotes
-- severity: warning
-- subject: statements
--
-- `'?3'` is a text: SQLite sees no parameter within quotes. The statement holds the column against this very text, and a value that is
-- bound for it is one too many, which some drivers refuse, and others pass over.
--
-- Told of what can hardly be meant as a text: a number behind the mark, or a mark as the bound of a range. `= '?'` may be a text that
-- rows have. `LIKE '%?%'` is a note, for it may ask for a question mark.
--
-- remedy: Take the quotes away; a pattern is put together of `'%' || ?1 || '%'`, or in the value that is bound.
SELECT
    coalesce(predicate.site, judged.site) AS site,
    judged.id AS statement,
    judged.database,
    predicate."table",
    printf('`%s` is a text, and no parameter: what is bound for it goes nowhere', predicate.literal) AS message,
    iif(predicate.literal NOT GLOB '*%*', 'take the quotes away',
        'put the pattern into the value, or write `''%'' || ? || ''%''`') AS help,
    iif(judged.quiet OR judged.role = 'migration' OR predicate.literal IN ('''%?%''', '''%?''', '''?%'''), 'note', NULL) AS severity
FROM judged_statement AS judged
JOIN predicate ON predicate.statement = judged.id
WHERE predicate.clause IN ('where', 'join', 'having', 'set')
  AND (predicate.literal GLOB '''[?][0-9]''' OR predicate.literal GLOB '''[?][0-9][0-9]'''
       OR (predicate.literal = '''?''' AND predicate.operator IN ('<', '<=', '>', '>=', 'BETWEEN'))
       OR (predicate.operator IN ('LIKE', 'NOT LIKE')
           AND (predicate.literal IN ('''%?%''', '''%?''', '''?%''') OR predicate.literal GLOB '''%[?][0-9]%''')))
-- Two texts of one place: once is enough.
GROUP BY coalesce(predicate.site, judged.site), predicate.column

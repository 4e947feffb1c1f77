-- Misspelt type of a column
-- severity: note
-- subject: statements
--
-- SQLite takes any words for the type of a column and derives an affinity from the letters in them. A slip of the pen
-- is never an error: `INETGER` has affinity NUMERIC, and `PRIMARY_KEY` makes no primary key. `STRING` is no text: the
-- column has affinity NUMERIC as well, and '007' comes back as 7.
--
-- remedy: Spell the type as SQLite does, or declare the table STRICT, where an unknown type is refused.
--
-- ignore: Where the word is the program's own and the affinity is what it should be.
SELECT
    coalesce(column.site, schema_table.site) AS site,
    'column:' || schema_table.name || '.' || column.name AS object,
    variant.database,
    schema_table.name AS "table",
    printf('`%s` in the type of `%s.%s` is no word of SQL; did you mean `%s`?',
        type_word.word, schema_table.name, column.name, type_word.near) AS message,
    printf('as written, the column has the affinity %s%s', column.affinity, CASE
        WHEN type_word.near = 'TEXT' AND column.affinity = 'NUMERIC'
            THEN ': a text that reads as a number, such as ''007'', is stored as that number'
        WHEN type_word.near LIKE 'PRIMARY%' OR type_word.near LIKE 'UNIQUE%' OR type_word.near LIKE 'NOT%'
            THEN ', and the constraint is not there'
        ELSE '' END) AS help
FROM type_word
JOIN column ON column.id = type_word.column
JOIN schema_table ON schema_table.id = column.schema_table
JOIN variant ON variant.id = schema_table.variant
WHERE NOT type_word.known AND type_word.near IS NOT NULL
  -- Words beside it may make a text of it.
  AND NOT (type_word.near = 'TEXT' AND column.affinity = 'TEXT')

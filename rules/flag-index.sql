-- Full index on a flag of which only one value is searched for
-- severity: note
-- subject: indexes
--
-- The index holds an entry for each row, and every statement that goes by it looks for the same one of few values. A partial
-- index holds the rows of that value alone: it stays small where they are rare, and a row without the value is not written
-- to it.
--
-- remedy: Create the index with `WHERE column = value`, in a new migration, and drop this one. The statements must have the
-- value in their text, not as a parameter, for SQLite to use it.
--
-- ignore: Where the value that is sought is the one that most rows have: a partial index saves little then.
SELECT
    flagged.site,
    flagged.database,
    flagged."table",
    'index:' || flagged.name AS object,
    printf('`%s` has an entry for each row, and only those with `%s = %s` are ever searched for', flagged.name, flagged.column,
        flagged.literal) AS message
FROM (
    SELECT "index".id, "index".site, "index".name, "index"."table", variant.database, index_column.column,
        min(predicate.literal) AS literal
    FROM "index"
    JOIN variant ON variant.id = "index".variant
    JOIN base_variant ON base_variant.variant = variant.id
    JOIN growing_table ON growing_table.database = variant.database AND growing_table."table" = "index"."table"
    JOIN index_column ON index_column."index" = "index".id AND index_column.ordinal = 0
    JOIN column_values ON column_values.database = variant.database AND column_values."table" = "index"."table"
        AND column_values.column = index_column.column AND column_values."distinct" = 'few'
    JOIN base_step ON base_step.variant = "index".variant AND base_step."table" = "index"."table"
        AND base_step."index" = "index".name
    LEFT JOIN predicate ON predicate.statement = base_step.statement AND predicate."table" = "index"."table"
        AND predicate.column = index_column.column AND predicate.clause = 'where'
        AND predicate.operator IN ('=', '==', 'IS') AND predicate.value = 'literal'
    WHERE "index".origin = 'create' AND NOT "index".is_unique AND "index".partial_where IS NULL
    GROUP BY "index".id
    -- One value, and each statement has it.
    HAVING count(DISTINCT predicate.literal) = 1 AND count(DISTINCT predicate.statement) = count(DISTINCT base_step.statement)
) AS flagged
WHERE NOT EXISTS (SELECT 1 FROM unread_reference
                  WHERE unread_reference."table" IS NULL OR unread_reference."table" = flagged."table")

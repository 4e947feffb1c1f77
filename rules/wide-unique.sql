-- Unique key that would serve in the other order
-- severity: note
--
-- A UNIQUE constraint, or a primary key, on two columns of which the first is random, and an index on the second alone:
-- two B-trees are written for each row, and the first of them holds both values. No statement looks for the first column
-- alone. In the other order the constraint means the same, and finds rows by the second column as well: the index is not
-- needed then. Measured on a table of hints at 1.6 million rows: 2.7 pages written for each row, and 1.5 with one constraint
-- in the other order.
--
-- remedy: Make the table anew with the columns of the constraint in the other order and without the index, in a new
-- migration; look first whether a statement that is not known whole seeks by the first column.
SELECT
    coalesce(random_index.site, made.site) AS site,
    random_index.database,
    random_index."table",
    'index:' || other.name AS object,
    printf('in the other order, (`%s`, `%s`), the %s of `%s` would do what `%s` does, which is written with each row',
        second.column, random_index.column,
        iif(random_index.origin = 'primary_key', 'primary key', 'UNIQUE constraint'), random_index."table", other.name
    ) AS message
FROM random_index
JOIN schema_table AS made ON made.variant = random_index.variant AND made.name = random_index."table"
JOIN index_column AS second ON second."index" = random_index."index" AND second.ordinal = 1 AND second.is_key
JOIN "index" AS other ON other.variant = random_index.variant AND other."table" = random_index."table"
    AND other.origin = 'create' AND NOT other.is_unique AND other.partial_where IS NULL
JOIN index_column AS sought ON sought."index" = other.id AND sought.ordinal = 0 AND sought.column = second.column
    AND sought.collation = second.collation
WHERE random_index.origin IN ('unique', 'primary_key')
  AND NOT EXISTS (SELECT 1 FROM index_column AS more WHERE more."index" = random_index."index"
                  AND more.ordinal = 2 AND more.is_key)
  AND NOT EXISTS (SELECT 1 FROM index_column AS more WHERE more."index" = other.id AND more.ordinal = 1 AND more.is_key)
  -- No statement goes by the first column alone.
  AND NOT EXISTS (
        SELECT 1 FROM step JOIN plan ON plan.id = step.plan
        WHERE plan.variant = random_index.variant AND step."table" = random_index."table" AND step.equalities < 2
          AND (step."index" = random_index.name OR (step.key = 'primary_key' AND random_index.origin = 'primary_key')))
GROUP BY random_index."index"

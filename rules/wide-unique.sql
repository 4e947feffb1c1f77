-- Unique key that would serve in the other order
-- severity: note
-- subject: indexes
--
-- A UNIQUE constraint, or a primary key, on two columns, and an index on the second alone: two B-trees are written for each
-- row, and the first of them holds both values. No statement looks for the first column alone. In the other order the
-- constraint means the same, and finds rows by the second column as well: the index is not needed then. Measured on a table
-- of hints, whose keys are random, at 1.6 million rows: 2.7 pages written for each row, and 1.5 with one constraint in the
-- other order. Where keys of the second column come in order, little is saved, and it is silent.
--
-- remedy: Make the table anew with the columns of the constraint in the other order and without the index, in a new
-- migration; look first whether a statement that is not known whole seeks by the first column.
--
-- ignore: Where the database is written seldom: the gain is in what each row writes.
SELECT
    coalesce(pair.site, made.site) AS site,
    variant.database,
    pair."table",
    'index:' || other.name AS object,
    printf('in the other order, (`%s`, `%s`), the %s of `%s` would do the work of the index `%s`, %s',
        second.column, first.column,
        iif(pair.origin = 'primary_key', 'primary key', 'UNIQUE constraint'), pair."table", other.name,
        coalesce((SELECT printf('for which each row writes %.1f pages', write_cost.pages / 100.0)
                  FROM write_cost WHERE write_cost."index" = other.id AND write_cost.key_order = 'random'),
            'which is written with each row')
    ) AS message
FROM "index" AS pair
JOIN base_variant ON base_variant.variant = pair.variant
JOIN variant ON variant.id = pair.variant
JOIN growing_table ON growing_table.database = variant.database AND growing_table."table" = pair."table"
    AND NOT growing_table.quiet
JOIN schema_table AS made ON made.variant = pair.variant AND made.name = pair."table"
JOIN index_column AS first ON first."index" = pair.id AND first.ordinal = 0
JOIN index_column AS second ON second."index" = pair.id AND second.ordinal = 1 AND second.is_key
JOIN "index" AS other ON other.variant = pair.variant AND other."table" = pair."table"
    AND other.origin = 'create' AND NOT other.is_unique AND other.partial_where IS NULL
JOIN index_column AS sought ON sought."index" = other.id AND sought.ordinal = 0 AND sought.column = second.column
    AND sought.collation = second.collation
WHERE pair.origin IN ('unique', 'primary_key')
  AND NOT EXISTS (SELECT 1 FROM index_column AS more WHERE more."index" = pair.id AND more.ordinal = 2 AND more.is_key)
  AND NOT EXISTS (SELECT 1 FROM index_column AS more WHERE more."index" = other.id AND more.ordinal = 1 AND more.is_key)
  -- No statement goes by the first column alone.
  AND NOT EXISTS (
        SELECT 1 FROM step JOIN plan ON plan.id = step.plan
        WHERE plan.variant = pair.variant AND step."table" = pair."table" AND step.equalities < 2
          AND (step."index" = pair.name OR (step.key = 'primary_key' AND pair.origin = 'primary_key')))
  -- One that another index makes redundant goes, and the constraint stays as it is.
  AND NOT EXISTS (SELECT 1 FROM trial WHERE trial."index" = other.id AND trial.holder IS NOT NULL AND NOT trial.is_hinted)
  -- Where its keys come in order, there is little to be saved.
  AND NOT EXISTS (SELECT 1 FROM write_cost WHERE write_cost."index" = other.id AND write_cost.key_order = 'ordered')
GROUP BY pair.id

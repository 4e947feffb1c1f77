-- Index whose name says another column
-- severity: note
-- subject: indexes
--
-- The name of the index holds the name of a column of its table that is not in it, and of none that is. One of the two is
-- a slip: who wrote it, or copied it from the line above, meant an index that is not there.
--
-- remedy: Find out which statement it was made for. Create the index on the column that the name says, or give it the name of
-- what it holds.
--
-- ignore: Where the name is meant, as one of history.
SELECT
    indexed.site,
    indexed.database,
    indexed."table",
    'index:' || indexed.name AS object,
    printf('`%s` is named after `%s`, but indexes %s', indexed.name, other.name, indexed.columns) AS message
FROM (
    SELECT "index".*, variant.database,
        -- The name of the table says nothing of columns.
        '_' || replace(lower("index".name), lower("index"."table"), '') || '_' AS words,
        group_concat('`' || index_column.column || '`', ', ') AS columns
    FROM "index"
    JOIN base_variant ON base_variant.variant = "index".variant
    JOIN variant ON variant.id = "index".variant
    JOIN index_column ON index_column."index" = "index".id AND index_column.is_key
    WHERE "index".origin = 'create'
    GROUP BY "index".id
    HAVING count(index_column.column) = count(*)
) AS indexed
JOIN schema_table ON schema_table.variant = indexed.variant AND schema_table.name = indexed."table"
JOIN column AS other ON other.schema_table = schema_table.id AND length(other.name) > 2
    AND other.name NOT IN ('idx', 'index', 'key')
    AND instr(indexed.words, '_' || lower(other.name) || '_')
WHERE NOT instr(lower(coalesce(indexed.partial_where, '')), lower(other.name))
  -- What the table is called after may stand for it.
  AND NOT instr('_' || lower(indexed."table") || '_', '_' || lower(other.name) || '_')
  AND NOT EXISTS (
    SELECT 1 FROM index_column
    WHERE index_column."index" = indexed.id AND index_column.is_key
      -- A whole word that is a column says more than a part of it that is another.
      AND (instr(replace(indexed.words, '_' || lower(other.name) || '_', '_'), lower(index_column.column))
           -- Also a part of it, such as `hash` for `block_hash`, and `tx_index` for `tx0_index`.
           OR lower(index_column.column) LIKE '%' || replace(lower(other.name), '_', '%') || '%'))
GROUP BY indexed.id

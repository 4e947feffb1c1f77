-- Foreign key without an index that serves it
-- severity: warning
-- subject: reads
--
-- When a row of the parent is deleted or replaced, or its key changes, SQLite looks for the children that refer to it.
-- Without an index on the columns of the foreign key it reads the whole child table, once for each row of the parent.
-- The text of the statement does not show it, and the plan does only while foreign keys are enforced.
--
-- An index can be there and not serve: a partial one, one of another collation than the parent's key, and any on a
-- column whose type has another affinity than the key it refers to.
--
-- remedy: Create an index on the child that begins with the columns of the foreign key.
--
-- ignore: Where rows of the parent are never deleted, and their keys never change.
WITH slow AS (
    SELECT
        parent_change.foreign_key,
        min(parent_change.quiet) AS quiet,
        max(parent_change.purpose = 'parent_delete') AS deletes,
        json_group_array(json_object('site', parent_change.site, 'message',
            printf('a row of `%s` is %s here', foreign_key.parent, parent_change.how))) AS related
    FROM (SELECT DISTINCT foreign_key, site, quiet, purpose, how FROM parent_change WHERE NOT unenforced) AS parent_change
    JOIN foreign_key ON foreign_key.id = parent_change.foreign_key
    WHERE EXISTS (
        SELECT 1 FROM child_lookup
        WHERE child_lookup.foreign_key = parent_change.foreign_key
          AND child_lookup.purpose = parent_change.purpose
          AND child_lookup.operation = 'SCAN')
    GROUP BY parent_change.foreign_key
),
-- A column of a foreign key that an index begins with, of another affinity than the key of the parent.
unserving_affinity AS (
    SELECT foreign_key.id AS foreign_key,
        printf('`%s` %s and `%s.%s` is %s, so that no index on it serves: make `%s` anew, with that type for the column',
            child.name, iif(child.declared_type = '', 'has no type', printf('is %s', child.declared_type)),
            foreign_key.parent, parent.name, parent.declared_type, foreign_key."table") AS help
    FROM foreign_key
    JOIN foreign_key_index ON foreign_key_index.foreign_key = foreign_key.id
    JOIN index_column ON index_column."index" = foreign_key_index."index" AND index_column.ordinal = 0
    JOIN foreign_key_column ON foreign_key_column.foreign_key = foreign_key.id
        AND foreign_key_column.column = index_column.column
    JOIN schema_table ON schema_table.variant = foreign_key.variant AND schema_table.schema = foreign_key.schema
    JOIN column AS child ON child.schema_table = schema_table.id AND child.name = foreign_key_column.column
    JOIN schema_table AS other ON other.variant = foreign_key.variant AND other.schema = foreign_key.schema
        AND other.name = foreign_key.parent
    JOIN column AS parent ON parent.schema_table = other.id AND parent.declared_type <> ''
        AND CASE WHEN foreign_key_column.parent_column IS NULL THEN parent.primary_key = foreign_key_column.ordinal + 1
            ELSE parent.name = foreign_key_column.parent_column END
    WHERE schema_table.name = foreign_key."table" 
      -- Numbers of all kinds are ordered alike.
      AND iif(child.affinity IN ('TEXT', 'BLOB'), child.affinity, 'number') <> iif(parent.affinity IN ('TEXT', 'BLOB'), parent.affinity, 'number')
)
SELECT
    foreign_key.site,
    foreign_key.id AS foreign_key,
    'table:' || foreign_key."table" AS object,
    variant.database,
    foreign_key."table",
    printf('%s a row of `%s` reads all rows of `%s`, which %s: %s',
        iif(slow.deletes, 'deleting', 'changing the key of'),
        foreign_key.parent,
        foreign_key."table",
        growing_table.how,
        coalesce(
            (SELECT printf('the index `%s` does not serve the foreign key %s', name, foreign_key_words.columns)
             FROM foreign_key_index WHERE foreign_key_index.foreign_key = foreign_key.id ORDER BY name LIMIT 1),
            printf('no index begins with the foreign key %s', foreign_key_words.columns))) AS message,
    (SELECT help FROM unserving_affinity WHERE unserving_affinity.foreign_key = foreign_key.id ORDER BY help LIMIT 1) AS help,
    iif(slow.quiet OR growing_table.quiet, 'note', NULL) AS severity,
    slow.related
FROM slow
JOIN foreign_key ON foreign_key.id = slow.foreign_key
JOIN foreign_key_words ON foreign_key_words.foreign_key = foreign_key.id
JOIN variant ON variant.id = foreign_key.variant
JOIN base_variant ON base_variant.variant = variant.id
JOIN growing_table ON growing_table.database = variant.database AND growing_table."table" = foreign_key."table"
-- Of several foreign keys between the same two tables the plan does not say which of them scans, nor of several that one statement
-- reaches through a CASCADE: then it is one that no index begins with.
WHERE NOT EXISTS (SELECT 1 FROM foreign_key_index WHERE foreign_key_index.foreign_key = foreign_key.id)
   OR (NOT EXISTS (
        SELECT 1 FROM foreign_key AS other
        WHERE other.variant = foreign_key.variant AND other.id <> foreign_key.id
          AND other."table" = foreign_key."table"
          -- Children that are deleted with their parent look for their own children, where the table refers to itself.
          AND (other.parent = foreign_key.parent
               OR (other.parent = foreign_key."table" AND foreign_key.on_delete = 'CASCADE'
                   AND NOT EXISTS (SELECT 1 FROM foreign_key_index WHERE foreign_key_index.foreign_key = other.id))
               -- So do those of another parent that goes with this one.
               OR EXISTS (SELECT 1 FROM foreign_key AS way
                          WHERE way.variant = other.variant AND way."table" = other.parent AND way.parent = foreign_key.parent
                            AND way.on_delete = 'CASCADE'
                            AND NOT EXISTS (SELECT 1 FROM foreign_key_index WHERE foreign_key_index.foreign_key = other.id))))
       AND EXISTS (
        SELECT 1 FROM child_lookup AS own
        WHERE own.foreign_key = foreign_key.id AND own.operation = 'SCAN'
          AND NOT EXISTS (
                SELECT 1 FROM child_lookup AS other
                WHERE other.step = own.step AND other.foreign_key <> own.foreign_key)))

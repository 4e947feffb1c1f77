-- Index that nothing uses
-- severity: note
-- subject: indexes
--
-- No statement that was found uses the index, nor does a trigger or a foreign key. It is written with each row all
-- the same, and takes its room in the file and in the cache.
--
-- It says what is known, and no more: it is silent where a text of the program that is not known whole may name the table,
-- where the program uses a query builder, whose queries are not seen, where fewer than five statements of the running
-- program read the table, so that others may, where one compares the first column of the index or sorts by it, and does not go by it, where
-- the index keeps something unique, and where another index can be dropped for it.
--
-- remedy: Drop the index in a new migration, or find out which statement was to use it and does not.
--
-- ignore: Where something outside the tree uses the database: reports, other programs, people.
SELECT
    "index".site,
    variant.database,
    trial."table",
    'index:' || "index".name AS object,
    printf('none of the %d statements that read `%s` uses `%s`', readers.number, trial."table", "index".name) AS message,
    printf('drop it in a new migration, `%s`; or find out which statement was to use it', trial.sql) AS help
FROM trial
JOIN variant ON variant.id = trial.variant
JOIN "index" ON "index".id = trial."index"
JOIN (SELECT live_statement.database, read."table", count(DISTINCT live_statement.id) AS number
      FROM live_statement JOIN read ON read.statement = live_statement.id
      WHERE NOT live_statement.guessed
      GROUP BY live_statement.database, read."table") AS readers
    ON readers.database = variant.database AND readers."table" = trial."table"
JOIN index_column AS first ON first."index" = trial."index" AND first.ordinal = 0
JOIN growing_table ON growing_table.database = variant.database AND growing_table."table" = trial."table"
WHERE trial.action = 'drop_index' AND trial.holder IS NULL AND NOT trial.is_hinted
  -- A table that few statements read may have readers that were not found.
  AND readers.number >= 5
  AND NOT EXISTS (SELECT 1 FROM trial_effect WHERE trial_effect.trial = trial.id)
  -- What is compared by its first column may well be meant to go by it, and a foreign key, if ever it is enforced.
  AND NOT EXISTS (SELECT 1 FROM predicate JOIN judged_statement ON judged_statement.id = predicate.statement
                  WHERE judged_statement.database = variant.database AND predicate.clause <> 'set'
                    AND (predicate.column = first.column OR predicate.value_column = first.column))
  AND NOT EXISTS (SELECT 1 FROM foreign_key JOIN foreign_key_column ON foreign_key_column.foreign_key = foreign_key.id
                  WHERE foreign_key.variant = trial.variant AND foreign_key."table" = trial."table"
                    AND foreign_key_column.column = first.column)
  AND NOT EXISTS (SELECT 1 FROM query_builder)
  AND NOT EXISTS (SELECT 1 FROM unread_reference
                  WHERE unread_reference."table" IS NULL OR unread_reference."table" = trial."table")
  AND NOT EXISTS (SELECT 1 FROM trial AS other JOIN trial_effect ON trial_effect.trial = other.id
                  WHERE other.variant = trial.variant AND other.holder = '`' || "index".name || '`')

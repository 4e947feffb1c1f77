-- Index that another one makes redundant
-- severity: note
-- yields-to: wrong-column-index
-- subject: indexes
--
-- Another index, or the key of the table, begins with the columns of this one, in their order. Whatever finds rows by this
-- one finds them by the other as well; what is left of it is the work of writing it with each row, and its room in the
-- file and in the cache.
--
-- That alone proves nothing: an index on fewer columns also gives the rows of one value in the order of their rowids, and
-- covers what it covers in less room. So it is left out of a copy of the schema, and every statement that goes by it, every
-- trigger and every foreign key is planned again: none of them may read, sort or test more. Of texts that are not known
-- whole nothing is known, and the message says so. An index that code names for INDEXED BY is left alone.
--
-- remedy: Drop the index in a new migration.
--
-- ignore: Where a statement that planlint does not see needs the narrower index.
SELECT
    "index".site,
    variant.database,
    trial."table",
    'index:' || "index".name AS object,
    printf('`%s` is redundant: %s begins with its columns, and %s%s',
        "index".name, trial.holder,
        CASE users.number WHEN 0 THEN 'no statement uses it'
            WHEN 1 THEN 'the statement that uses it is as fast without'
            ELSE printf('the %d statements that use it are as fast without', users.number) END,
        coalesce((SELECT iif(count(*) = 1, printf('; one text that names `%s` is not known whole', trial."table"),
                      printf('; %d texts that name `%s` are not known whole', count(*), trial."table"))
                  FROM unread_reference WHERE unread_reference."table" = trial."table" HAVING count(*) > 0), '')) AS message,
    printf('drop it in a new migration: `%s`', trial.sql) AS help
FROM trial
JOIN variant ON variant.id = trial.variant
JOIN "index" ON "index".id = trial."index"
JOIN (SELECT trial.id AS trial, count(trial_effect.trial) AS number
      FROM trial LEFT JOIN trial_effect ON trial_effect.trial = trial.id GROUP BY trial.id) AS users ON users.trial = trial.id
WHERE trial.holder IS NOT NULL AND NOT trial.is_hinted

-- PRAGMA that does nothing where it stands
-- severity: warning
-- subject: migrations
--
-- SQLite passes over some settings without an error. `foreign_keys` can't change within a transaction, and
-- `journal_mode = WAL` neither; `page_size` and `auto_vacuum` are settled with the first table. The migration goes on as
-- if the setting held: what it does under foreign keys that it believes to be off deletes rows.
--
-- remedy: Set it outside of the transaction; `page_size` and `auto_vacuum` before the first table, or followed by a VACUUM.
SELECT
    tried.site,
    tried.database,
    NULL AS "table",
    printf('`PRAGMA %s = %s` does nothing here: %s', loss.object, loss.text,
        CASE WHEN loss.object IN ('page_size', 'auto_vacuum') THEN 'the database has tables already'
            ELSE 'it stands within a transaction' END) AS message,
    iif(tried.released_in IS NOT NULL, printf('%s has run it already: look with PRAGMA foreign_key_check what it left, and let a new migration mend that', tried.released_in),
        CASE WHEN loss.object IN ('page_size', 'auto_vacuum') THEN 'set it before the first table is created, or run VACUUM after it'
        WHEN loss.object = 'foreign_keys' THEN 'set it before the transaction begins; within one, `PRAGMA defer_foreign_keys = ON` '
            || 'puts the check off until the COMMIT, which stops no CASCADE'
        ELSE 'set it where the database is opened' END) AS help,
    tried.quieter_warning AS severity
FROM row_experiment AS tried
JOIN loss ON loss.experiment = tried.experiment
WHERE loss.kind = 'setting'

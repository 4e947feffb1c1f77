-- Whole row replaced that was just read
-- severity: note
-- subject: loops
--
-- REPLACE deletes the row that is there and inserts another: it leaves every index of the table and enters it again,
-- its triggers and foreign keys see a row go, and what the statement does not name has its default again. The program
-- has read the row by its key before, or reads it in the statement itself, so it is there, and few of its columns
-- change. An UPDATE of these touches no other index.
--
-- Silent where the program looks for no row before, or for no more than whether there is one: there REPLACE inserts. So
-- it is of a table without an index of other columns than the key, and of one with several unique keys, of which an
-- upsert names one.
--
-- remedy: UPDATE the columns that change, or `INSERT … ON CONFLICT (…) DO UPDATE SET …` of these alone.
--
-- ignore: Where most columns do change, or rows are seldom replaced.
WITH replaced AS MATERIALIZED (
    SELECT statement.id AS statement, statement.site, statement.function, statement.database, write."table",
        unique_key.variant, unique_key.key, unique_key.width, growing_table.how,
        (SELECT group_concat(part.column, ', ') FROM unique_key_column AS part
         WHERE part.variant = unique_key.variant AND part.key = unique_key.key) AS columns,
        (SELECT count(*) FROM "index"
         WHERE "index".variant = unique_key.variant AND "index"."table" = write."table"
           AND "index".origin = 'create'
           AND EXISTS (SELECT 1 FROM index_column
                       WHERE index_column."index" = "index".id AND index_column.is_key
                         AND index_column.column NOT IN (
                            SELECT part.column FROM unique_key_column AS part
                            WHERE part.variant = unique_key.variant AND part.key = unique_key.key))) AS indexes
    FROM live_statement AS statement
    JOIN write ON write.statement = statement.id AND write.through IS NULL AND write.action = 'insert'
    JOIN base_variant ON base_variant.database = statement.database
    JOIN unique_key ON unique_key.variant = base_variant.variant AND unique_key."table" = write."table"
    JOIN growing_table ON growing_table.database = statement.database AND growing_table."table" = write."table"
    WHERE statement.kind = 'replace'
    GROUP BY statement.id, write."table"
    -- A primary key that is none of the rowid is a key of the table, and of an index.
    HAVING count(DISTINCT (SELECT group_concat(own.column) FROM (
        SELECT lower(part.column) AS column FROM unique_key_column AS part
        WHERE part.variant = unique_key.variant AND part.key = unique_key.key ORDER BY 1) AS own)) = 1
), looked AS MATERIALIZED (
    -- A row is sought by its key and by nothing else, and more is wanted of it than the key.
    SELECT replaced.statement, asked.id, asked.function, asked.site
    FROM replaced
    JOIN live_statement AS asked ON asked.database = replaced.database AND asked.kind = 'select'
    JOIN table_reference AS named ON named.statement = asked.id AND named."table" = replaced."table"
    WHERE (SELECT count(*) FROM table_reference WHERE table_reference.statement = asked.id) = 1
      AND replaced.width = (SELECT count(*) FROM predicate
                            WHERE predicate.statement = asked.id AND predicate.clause = 'where')
      AND replaced.width = (
            SELECT count(DISTINCT predicate.column) FROM predicate
            JOIN unique_key_column AS part ON part.key = replaced.key AND part.variant = replaced.variant
                AND part.column = predicate.column
            WHERE predicate.statement = asked.id AND predicate.clause = 'where' AND predicate.operator IN ('=', '==')
              AND predicate.value = 'parameter')
      AND EXISTS (
            SELECT 1 FROM read
            WHERE read.statement = asked.id AND read."table" = replaced."table" AND read.column <> ''
              AND read.column NOT IN (SELECT part.column FROM unique_key_column AS part
                                      WHERE part.variant = replaced.variant AND part.key = replaced.key))
), run AS MATERIALIZED (
    -- What a function runs itself, and what the functions run that it calls.
    SELECT function AS caller, id AS statement, site FROM live_statement WHERE function IS NOT NULL
    UNION
    SELECT call.caller, statement.id, call.site
    FROM call JOIN live_statement AS statement ON statement.function = call.callee
    WHERE call.caller IS NOT NULL
), known AS (
    SELECT replaced.statement, function.name AS reader, asks.site AS asks
    FROM replaced
    JOIN looked ON looked.statement = replaced.statement
    JOIN run AS asks ON asks.statement = looked.id
    JOIN run AS puts ON puts.statement = replaced.statement AND puts.caller = asks.caller
    JOIN function ON function.id = asks.caller AND function.role = 'production'
    JOIN site AS first ON first.id = asks.site
    JOIN site AS last ON last.id = puts.site AND last.source = first.source AND last.start > first.start
    UNION ALL
    -- It reads the row itself, to put back what does not change.
    SELECT replaced.statement, NULL, NULL
    FROM replaced
    JOIN own_step AS step ON step.statement = replaced.statement AND step."table" = replaced."table"
        AND step.operation = 'SEARCH' AND step.equalities = replaced.width
)
SELECT
    replaced.site,
    replaced.statement,
    replaced.database,
    replaced."table",
    printf('a row of `%s` that %s is deleted and inserted anew, in %d %s as well; the table %s', replaced."table",
        iif(known.reader IS NULL, 'the statement itself reads', printf('`%s` has read before', known.reader)),
        replaced.indexes, iif(replaced.indexes = 1, 'index', 'indexes'), replaced.how) AS message,
    printf('UPDATE the columns that change, or write `INSERT … ON CONFLICT (%s) DO UPDATE SET …` of these alone: an index '
        || 'of other columns is not written then, and no trigger or foreign key sees the row go.',
        replaced.columns) AS help,
    iif(known.asks IS NULL, NULL, json_array(json_object('site', known.asks, 'message', 'the row is read'))) AS related
FROM replaced
JOIN known ON known.statement = replaced.statement
WHERE replaced.indexes > 0
GROUP BY replaced.statement
HAVING known.asks IS min(known.asks)

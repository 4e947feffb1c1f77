-- Write for each element of a loop, without a transaction
-- severity: note
-- subject: loops
--
-- Outside a transaction each statement is one of its own: SQLite writes the journal, syncs the file and starts anew with
-- the next element. A thousand rows in one transaction take about as long as ten without.
--
-- The driver of Python opens a transaction by itself, in front of the first write. There, a loop that commits each
-- element is meant, itself or in the method that it calls.
--
-- A loop that waits for another machine is silent: a transaction around it would lock the database for as long.
--
-- remedy: Open a transaction around the loop, and prepare the statement once before it.
--
-- ignore: Where each element has to be on disk before the next one begins, so that a crash loses none.
SELECT
    looped.site,
    looped.statement,
    looped.database,
    write."table",
    printf('each %s of this loop writes `%s` in a transaction of its own%s',
        looped.turn, write."table",
        looped.through) AS message,
    looped.related
FROM looped_statement AS looped
JOIN write ON write.statement = looped.statement AND write.through IS NULL
JOIN statement ON statement.id = looped.statement
JOIN database ON database.id = looped.database AND NOT database.in_memory
JOIN site ON site.id = looped.site
JOIN source ON source.id = site.source
WHERE looped.origin = 'loop_item' AND looped.loop_source IN ('rows', 'collection', 'range', 'queue')
  AND looped.kind IN ('insert', 'replace', 'update', 'delete')
  AND NOT looped.loop_waits
  -- One that is given many rows is a batch.
  AND coalesce(statement.sink, '') NOT LIKE '%many%'
  -- What a helper is given may be a transaction, in all but name; in Rust, what it has may be one, too.
  AND (looped.helper IS NULL
       OR (looped.own_connection
           AND CASE source.language WHEN 'python' THEN looped.committed ELSE source.language <> 'rust' END)
       OR (SELECT name FROM function WHERE function.id = looped.caller) = 'main')
  -- Python's own driver opens a transaction in front of the first write, which a commit ends; APSW does not.
  AND CASE WHEN source.language <> 'python' OR EXISTS (
                SELECT 1 FROM source WHERE driver = 'apsw' AND role = 'production')
           THEN looped.in_transaction = 0 ELSE looped.committed END
  -- A caller may have opened one.
  AND NOT EXISTS (
        SELECT 1 FROM call AS outer
        WHERE outer.callee_name = (SELECT name FROM function WHERE function.id = looped.caller)
          AND outer.in_transaction = 1)
-- One finding for each loop and table.
GROUP BY looped.loop, write."table"
HAVING looped.call * 1000 + looped.ordinal = min(looped.call * 1000 + looped.ordinal)

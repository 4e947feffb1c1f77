-- Transaction for each element of a loop
-- severity: note
-- yields-to: write-in-loop
-- subject: loops
--
-- Each turn of the loop opens a transaction, writes one element and commits: SQLite writes the journal and syncs the file
-- as often as there are elements. The transaction is there, and begins a line too late; or it is opened by the function
-- that the loop calls, which knows nothing of the other elements. All elements are at hand when the loop begins.
--
-- A loop that waits for another machine is silent: a transaction around it would lock the database for as long. So is one
-- whose turns are asked for by a condition, such as batches that are taken from a queue until it is empty.
--
-- remedy: Open the transaction before the loop and commit after it; where one element may fail alone, set a SAVEPOINT
-- for each. Beside a helper that opens its own, write one that takes a list, or the open transaction.
--
-- ignore: Where each element has to be on disk before the next one begins, so that a crash loses none.
SELECT
    looped.site,
    looped.statement,
    looped.database,
    write."table",
    printf('each %s of this loop is written to `%s` in a transaction of its own%s', looped.turn, write."table",
        iif(looped.helper IS NULL, ', which the loop opens',
            iif(turn.begins = 'loop', looped.through || ': the loop opens it', printf(', which `%s` opens', looped.helper)))
        ) AS message,
    looped.related
FROM looped_statement AS looped
JOIN call AS turn ON turn.id = looped.call
JOIN write ON write.statement = looped.statement AND write.through IS NULL
JOIN database ON database.id = looped.database AND NOT database.in_memory
WHERE looped.origin = 'loop_item' AND looped.loop_source IN ('rows', 'collection', 'range')
  AND looped.kind IN ('insert', 'replace', 'update', 'delete')
  AND NOT looped.loop_waits
  AND (turn.begins = 'loop'
       OR (looped.helper IS NOT NULL AND turn.begins IS NULL AND turn.in_transaction IS NOT 1
           AND EXISTS (
                SELECT 1 FROM call AS inner
                WHERE inner.statement = looped.statement AND inner.caller = turn.callee
                  AND inner.begins = 'function' AND inner.loop_depth = 0)))
  -- What has a loop of its own within the transaction writes a batch.
  AND NOT EXISTS (
        SELECT 1 FROM call AS batched JOIN statement ON statement.id = batched.statement
        WHERE statement.kind IN ('insert', 'replace', 'update', 'delete') AND batched.loop IS NOT looped.loop
          AND ((batched.caller = turn.callee AND batched.loop_depth > 0)
               OR (batched.caller = looped.caller AND batched.outermost_loop = looped.loop)))
-- One finding for each loop.
GROUP BY looped.loop
HAVING looped.call * 1000 + looped.ordinal = min(looped.call * 1000 + looped.ordinal)

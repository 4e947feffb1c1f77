-- Read of a whole growing table
-- severity: note
-- yields-to: growing-table-scan, correlated-scan, unindexed-extreme, growing-sort, offset-pagination
-- subject: reads
--
-- The statement asks for all rows, or for a number that only all rows tell, and gets what it asks for. The table gains
-- rows while the program runs, so the answer takes longer, and more memory, each day. No index helps.
--
-- remedy: Ask for a page at a time, by the key of the last row seen; or keep the count or the sum in a row of its own.
--
-- ignore: Where the caller does need every row: an export, a backup, a check of everything. That is why it is a note.
SELECT
    step.site,
    step.statement,
    step.database,
    step."table",
    printf('all rows of `%s` are read, as the statement asks; the table %s', step."table", growing_table.how) AS message,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM own_step AS step
JOIN worst_growth ON worst_growth.statement = step.statement AND worst_growth.class <> 'constant'
JOIN live_statement ON live_statement.id = step.statement
JOIN growing_table ON growing_table.database = step.owner AND growing_table."table" = step."table"
WHERE step.operation = 'SCAN' AND step.statement_kind = 'select' AND step.limited IS NOT 1
  AND NOT live_statement.filtered
  AND step.id NOT IN (SELECT id FROM filtered_scan)
  AND step.id NOT IN (SELECT id FROM member_scan)
  AND step.statement NOT IN (SELECT statement FROM column_probe)
  AND (worst_growth.explained OR step.statement NOT IN (SELECT statement FROM repeated_read))

-- Sort of a growing table for a few rows
-- severity: warning
-- yields-to: growing-table-scan, correlated-scan, harmful-index, needed-index-dropped, lost-object
-- subject: reads
--
-- An index finds the rows, and not in the order that ORDER BY asks for. So all of them are read and sorted before LIMIT
-- keeps the first. Where the table grows, what is read and thrown away grows with it.
--
-- A search that finds at most one row is silent, and so is a list of keys that are each found in order: there LIMIT
-- bounds the work.
--
-- In a subquery that runs again for each row around it, all that each of those has are sorted for its first: tables that grow side
-- by side do not show it, and so it is measured with few rows around, and more and more for each.
--
-- It is a note where the order is random: a sample is drawn of all that the index finds, and no other index spares that, but
-- of rows that have left a state.
--
-- remedy: Append the columns of ORDER BY to the index that finds the rows. After columns that are compared by =, the
-- index then yields the rows in order, and LIMIT ends the search.
--
-- ignore: Where each key has few rows, so that there is little to sort.
SELECT
    search.site,
    search.statement,
    search.database,
    search."table",
    printf('all rows of `%s` that %s finds are sorted to keep the first%s; the table %s',
        search."table",
        CASE search.key WHEN 'index' THEN printf('the index `%s`', search."index") ELSE 'its key' END,
        coalesce((SELECT words FROM nested_search WHERE nested_search.step = search.id), costly.words),
        growing_table.how) AS message,
    iif(search.quiet
        OR (growing_table.quiet AND NOT (growing_table.unseen AND search.id IN (SELECT step FROM cured_step))) OR growing_table.is_short
        OR search.id IN (SELECT step FROM waiting_search)
        OR (search.id IN (SELECT step FROM shuffled_step) AND search.id NOT IN (SELECT step FROM left_state)), 'note', NULL) AS severity,
    coalesce(
        (SELECT printf('Rows leave the state of `%s`, and are found all the same: an index that holds it as well has only those read that '
                || 'pass. No index yields a random order of them.', left_state.column)
         FROM left_state WHERE left_state.step = search.id AND search.id IN (SELECT step FROM shuffled_step)),
        (SELECT help FROM obstacle_help WHERE obstacle_help.step = search.id),
        (SELECT 'It is a step of a migration, which runs once on each database: an index for it alone is seldom worth it.'
         FROM statement WHERE statement.id = search.statement AND statement.role = 'migration'),
        (SELECT help FROM shuffled_step WHERE shuffled_step.step = search.id),
        (SELECT 'No index yields rows of several keys in one order, nor the order of an expression that it does not hold. One '
             || 'that begins with what ORDER BY asks for does, and LIMIT ends the walk where the other terms keep many rows.'
         WHERE search.id NOT IN (SELECT step FROM ordered_search))) AS help,
    (SELECT obstacle FROM obstacle_help WHERE obstacle_help.step = search.id) AS obstacle,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM growing_sort AS search
JOIN growing_table ON growing_table.database = search.owner AND growing_table."table" = search."table"
LEFT JOIN costly ON costly.statement = search.statement

-- Search that reads a share of a growing table
-- severity: warning
-- yields-to: overlap-by-scan, growing-sort, unindexed-extreme, quadratic-statement, harmful-index, needed-index-dropped, lost-object
-- subject: reads
--
-- The plan says SEARCH, and the key that it goes by holds a share of the table: a flag that most rows have, a status, a
-- lower bound that is far away, or the wrong one of two indexes. Measured on rows of such a distribution, the cost grows
-- with the table, and the rows that the statement returns or changes do not explain it.
--
-- It is a note where a number is made of a range, or of all that the search finds: who counts looks at each row; where
-- nearly all rows are above a number that is written there; where a state
-- is sought that rows begin with and leave as a caller says, which few may have; where a join takes all that its key finds;
-- where columns of several tables are compared and nothing was proved to help, for which of them finds few rows is not known;
-- where old rows are deleted but for those that others need; and where no INSERT says which columns it fills.
--
-- remedy: Create an index on all columns that the statement compares, those compared by = first; or a partial index whose
-- WHERE holds only the rows that are wanted.
--
-- ignore: Where the key holds few rows in every real database, though nothing in the schema says so.
SELECT
    search.site,
    search.statement,
    search.database,
    search."table",
    printf(
        CASE search.operation WHEN 'SEARCH' THEN 'the search of `%s`%s reads a share of all its rows, most of them in vain%s; the table %s'
            ELSE 'all rows of the virtual table `%s` are read to find some%s%s; the table %s' END,
        search."table",
        CASE WHEN search.operation <> 'SEARCH' THEN '' WHEN search.key = 'index' THEN printf(' by the index `%s`', search."index")
            ELSE ' by its key' END,
        costly.words, growing_table.how) AS message,
    iif(search.quiet
        OR (growing_table.quiet AND NOT (growing_table.unseen AND search.id IN (SELECT step FROM cured_step))) OR growing_table.is_short
        OR EXISTS (SELECT 1 FROM untold_table WHERE untold_table.database = search.owner AND untold_table."table" = search."table")
        OR search.id IN (SELECT step FROM waiting_search)
        OR search.id IN (SELECT step FROM passing_search)
        OR search.id IN (SELECT step FROM joined_search)
        OR search.id IN (SELECT step FROM counting_search)
        OR search.id IN (SELECT step FROM aggregated_search)
        OR search.id IN (SELECT step FROM walked_search)
        OR search.id IN (SELECT step FROM sparing_search) OR search.id IN (SELECT step FROM bound_step)
        OR search.statement IN (SELECT statement FROM undecided_statement)
        OR search.statement IN (SELECT statement FROM grouped_growth)
        OR search.statement IN (SELECT statement FROM shared_growth)
        OR search.statement IN (SELECT statement FROM sweeping_statement)
        OR search.statement IN (SELECT statement FROM reporting_statement), 'note', NULL) AS severity,
    coalesce(
        iif(search.operation <> 'SEARCH', printf('No index can be made on a virtual table. Where `%s` is one of FTS, it finds rows by MATCH and by '
            || 'the rowid alone: keep the rowid of its row where the key is kept, and ask for that.', search."table"), NULL),
        (SELECT help FROM obstacle_help
         WHERE obstacle_help.step = search.id AND obstacle_help.kind NOT IN ('order', 'direction', 'random_order')),
        (SELECT printf('The statement compares columns of %d tables, and no index holds them all. Where those of another table find '
                || 'fewer rows, `CROSS JOIN` has SQLite begin with the table in front of it, and `+column` keeps it from searching '
                || 'by that column; where statistics tell, `ANALYZE` is enough.', count(DISTINCT filter."table"))
         FROM filter
         WHERE filter.statement = search.statement AND filter."table" IS NOT NULL
           AND filter.operator NOT IN ('IS NULL', 'IS NOT NULL')
         HAVING count(DISTINCT filter."table") > 1),
        (SELECT 'An OR that several searches answer yields no order, whatever the indexes: ask for each of its sides by itself, with the ORDER BY and the '
                || 'LIMIT of the whole, put `UNION ALL` between them, or `UNION` where a row may be on both, and order and limit that again. An index on what a side compares by = and then '
                || 'what orders it gives the first rows of each at once.'
         FROM step AS sort
         JOIN statement ON statement.id = search.statement AND statement.limited
         WHERE sort.plan = search.plan AND sort.operation = 'TEMP B-TREE' AND sort.purpose = 'ORDER BY'
           AND EXISTS (SELECT 1 FROM step AS arm JOIN step AS either ON either.id = arm.parent AND either.operation = 'MULTI-INDEX OR'
                       WHERE arm.id = search.parent)),
        -- All that is compared is in the key already.
        (SELECT iif(max(filter.operator = 'NOT IN')
                    OR EXISTS (SELECT 1 FROM query_within
                               WHERE query_within.statement = search.statement AND query_within.query = query_within.within
                                 AND query_within.negated),
             'Each row that the search finds is held against others, and no index spares that: begin behind what is known already, or '
                 || 'keep what is asked for as rows come.',
             printf('The search goes by all columns of `%s` that are compared, and no index finds fewer rows: ask for a part of them, or '
                 || 'keep what is made of them as rows come.', search."table"))
         FROM filter
         WHERE filter.statement = search.statement AND search.operation = 'SEARCH'
         HAVING min(filter."table" IS search."table" OR filter.operator = 'NOT IN' OR filter."table" IS NULL)
            AND count(DISTINCT iif(filter.operator = 'NOT IN', NULL, filter.column)) <= search.equalities + (search.ranges > 0))) AS help,
    (SELECT obstacle FROM obstacle_help
     WHERE obstacle_help.step = search.id AND obstacle_help.kind NOT IN ('order', 'direction', 'random_order')) AS obstacle,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM own_step AS search
JOIN (SELECT statement, words FROM costly UNION ALL SELECT statement, words FROM shared_growth) AS costly
    ON costly.statement = search.statement
JOIN worst_growth ON worst_growth.statement = search.statement
JOIN growing_table ON growing_table.database = search.owner AND growing_table."table" = search."table"
WHERE (search.operation = 'VIRTUAL TABLE' OR (search.operation = 'SEARCH' AND search.equalities + search.ranges > 0))
  AND search.statement NOT IN (SELECT statement FROM scanning)
  -- All that is found is deleted, and what that costs is said of the foreign key.
  AND search.statement NOT IN (SELECT statement FROM child_scanning)
  -- What a trigger scans for each row explains the cost, and the rows of a key do not.
  AND NOT (search.operation = 'SEARCH' AND search.ranges = 0 AND EXISTS (
        SELECT 1 FROM base_step AS fired
        WHERE fired.statement = search.statement AND fired.program IS NOT NULL
          AND fired.operation = 'SCAN' AND fired."table" IS NOT NULL))
  -- All that is sorted is told of once.
  AND search.statement NOT IN (SELECT statement FROM growing_sort WHERE growing_sort."table" <> search."table")
  -- Of several searches, the first that can find many rows.
  AND search.ordinal = (
        SELECT min(first.ordinal)
        FROM own_step AS first
        JOIN growing_table AS grows ON grows.database = first.owner AND grows."table" = first."table"
        WHERE first.statement = search.statement AND (first.operation = 'VIRTUAL TABLE'
               OR (first.operation = 'SEARCH' AND first.equalities + first.ranges > 0))
          AND first.id NOT IN (SELECT step FROM unique_step))

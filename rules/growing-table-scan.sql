-- Scan of a growing table
-- severity: warning
-- yields-to: overlap-by-scan, correlated-scan, quadratic-statement, harmful-index, needed-index-dropped, lost-object
-- subject: reads
--
-- To find its rows, the statement reads every row of a table, or of one of its indexes, and the table gains rows while
-- the program runs. On an empty database, as in a test, this costs nothing. It becomes slower each day, by as much as
-- the table has grown, and never faster.
--
-- It is run on rows made for it, and found only if its cost grows and the rows that it returns or changes do not explain
-- that, in some distribution of values. Where its tables could not be filled, the plan decides.
--
-- `id IN (SELECT item FROM favourite)` reads all of `favourite` into a list, however few ids are asked for: an index on `item` is
-- asked in its place.
--
-- A statement without a WHERE that returns what it reads is a full read, and silent here. So is a scan in the order of
-- an index that a LIMIT ends, and a scan of a partial index, which holds only the rows that are wanted.
--
-- It is a note where all rows are wanted in another way: each is held against another table by NOT IN (where NOT EXISTS would search it, it is none), groups of all are
-- tested, a part of a text is sought, rows are spared that have some value or the new one already, a share is added up that the
-- program fixes and no UPDATE changes, or the program reads the whole table in several places anyway, but for rows that it calls
-- removed, and not for each element of a loop, or chooses one of all its rows. So is one where nothing but a join tests the rows, and
-- nothing is known that would spare any.
--
-- remedy: Create an index that begins with the columns compared by = or IN, followed by the first that is compared as a
-- range or sorted by. Where an index is there and not used, the reason is an expression around the column, another
-- collation, or another type.
--
-- ignore: Where the table stays small in every database that matters: then say so with `bounded`, and every rule
-- knows. Where the statement runs once, by hand.
SELECT
    scan.site,
    scan.statement,
    scan.database,
    scan."table",
    CASE
        WHEN scan.sorts THEN 'all rows of `' || scan."table" || '` are sorted to keep the first'
        WHEN scan.lists THEN 'all rows of `' || scan."table" || '` are put in a list to see whether IN finds one value in it'
        ELSE 'all rows of `' || scan."table" || '` are read to find some' || coalesce(
            (SELECT ' by ' || columns FROM filter_words WHERE filter_words.step = scan.id), '')
        END || costly.words || '; the table ' || growing_table.how AS message,
    -- Where nothing but a join tests the rows, the statement may well want them all; where nothing is known to spare any, or they
    -- are those of a subquery.
    iif(scan.quiet
        OR (growing_table.quiet AND NOT (growing_table.unseen AND scan.id IN (SELECT step FROM cured_step)))
        OR (growing_table.is_short AND (growing_table.unseen OR scan.id NOT IN (SELECT step FROM repeated_scan)))
        -- A sum over what most rows may well have, for nothing tells what that is.
        OR (costly.words GLOB '*most rows*' AND EXISTS (SELECT 1 FROM statement WHERE statement.id = scan.statement AND statement.aggregate)
            AND EXISTS (SELECT 1 FROM untold_table WHERE untold_table.database = scan.owner AND untold_table."table" = scan."table"))
        OR (scan.id IN (SELECT step FROM checking_scan) AND scan.id NOT IN (SELECT step FROM spared_list)) OR scan.id IN (SELECT step FROM substring_scan)
        OR scan.id IN (SELECT step FROM sparing_scan) OR scan.id IN (SELECT step FROM totalling_scan)
        OR scan.id IN (SELECT step FROM negated_scan) OR scan.id IN (SELECT step FROM bound_step)
        -- Who keeps what the program has not deleted yet gets nearly all rows.
        OR (EXISTS (SELECT 1 FROM kept_filter
                    WHERE kept_filter.statement = scan.statement AND kept_filter."table" = scan."table")
            AND NOT EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement
                            AND filter.id NOT IN (SELECT id FROM kept_filter)))
        OR (scan.id IN (SELECT step FROM joined_scan) AND scan.id NOT IN (SELECT step FROM obstacle_help WHERE kind <> 'random_order'))
        OR (NOT scan.sorts AND NOT scan.lists AND NOT EXISTS (
            SELECT 1 FROM filter
            JOIN step_query ON step_query.step = scan.id
            WHERE filter.statement = scan.statement AND filter."table" = scan."table" AND filter.column IS NOT NULL
              -- What the statement changes is asked around what a subquery reads.
              AND (filter.query = step_query.query OR step_query.query = 0))
        AND EXISTS (SELECT 1 FROM step_query WHERE step_query.step = scan.id AND step_query.query > 0)
        AND (scan.statement_kind <> 'select'
             OR EXISTS (SELECT 1 FROM step WHERE step.plan = scan.plan AND step.operation = 'TEMP B-TREE'
                        AND step.purpose IN ('GROUP BY', 'DISTINCT')))),
        'note', NULL) AS severity,
    coalesce(
        (SELECT 'What is counted or added up here is a share of all rows that no caller chooses: an index spares little of it, and '
             || 'a total that is kept as rows come spares all.'
         WHERE scan.id IN (SELECT step FROM totalling_scan)),
        (SELECT help FROM obstacle_help WHERE obstacle_help.step = scan.id),
        (SELECT 'SQLite makes all rows of the subquery before it sorts them, and no index changes that: sort each of its parts, with a '
             || 'LIMIT of its own, or order the compound SELECT itself, whose parts are merged where each has an index in that order.'
         WHERE scan.sorts AND scan.id IN (SELECT step FROM sorted_routine_step)),
        (SELECT CASE
             WHEN scan.sorts THEN 'No index yields the order that is asked of the view `' || min(read.through_name) || '`: order by a '
                 || 'column that an index of one of its tables begins with, or by one that holds what is ordered by.'
             ELSE coalesce(
                 (SELECT 'The view `' || viewed_join.view || '` is joined by `' || viewed_join.column || '`, by which the index `'
                      || viewed_join."index" || '` finds rows of `' || scan."table" || '`, and SQLite reads that first: where '
                      || 'another table finds fewer rows, and each between the two has an index on the column that joins it, '
                      || '`CROSS JOIN` has SQLite begin with the table in front of it.'
                  FROM viewed_join WHERE viewed_join.step = scan.id),
                 'All of it is read for the view `' || min(read.through_name) || '`, and no term of the statement reaches into '
                      || 'that: ask its tables by the key, or let a join or EXISTS with the key take the place of the view.')
             END
        FROM read
         WHERE read.statement = scan.statement AND read."table" = scan."table"
           AND NOT EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement AND filter."table" = scan."table")
           -- Nor does any of them reach the table through the view.
           AND NOT EXISTS (SELECT 1 FROM obstacle JOIN filter ON filter.id = obstacle.predicate
                           WHERE obstacle.step = scan.id AND filter."table" = read.through_name)
         HAVING min(read.through IS 'view') AND count(DISTINCT read.through_name) = 1),
        (SELECT 'It is a step of a migration, which runs once on each database: an index for it alone is seldom worth it.'
         FROM statement WHERE statement.id = scan.statement AND statement.role = 'migration'),
        (SELECT 'Each row is held against others, and no index spares that: let it run seldom.'
         WHERE scan.id IN (SELECT step FROM checking_scan)),
        (SELECT 'No index finds the rows that have another value than one: let it run seldom, or compare by = with a mark that the '
             || 'rows have which are meant.'
         WHERE scan.id IN (SELECT step FROM negated_scan)),
        (SELECT 'Nothing but a join tests these rows: see whether all of them are wanted.'
         WHERE scan.id IN (SELECT step FROM joined_scan))) AS help,
    (SELECT obstacle FROM obstacle_help WHERE obstacle_help.step = scan.id
     AND scan.id NOT IN (SELECT step FROM totalling_scan)) AS obstacle,
    (SELECT related FROM size_related WHERE size_related.table_size = growing_table.table_size) AS related
FROM (
    SELECT filtered_scan.*, 0 AS sorts, 0 AS lists FROM filtered_scan
    UNION ALL
    SELECT sorted_scan.*, 1, 0 FROM sorted_scan WHERE sorted_scan.id NOT IN (SELECT id FROM filtered_scan)
    UNION ALL
    SELECT member_scan.*, 0, 1 FROM member_scan
    WHERE member_scan.id NOT IN (SELECT id FROM filtered_scan) AND member_scan.id NOT IN (SELECT id FROM sorted_scan)
) AS scan
JOIN growing_table ON growing_table.database = scan.owner AND growing_table."table" = scan."table"
JOIN costly ON costly.statement = scan.statement
WHERE scan.program IS NULL
  AND scan.id NOT IN (SELECT step FROM partial_step)
  -- What a computed OFFSET passes over, and what its subquery reads without a term or as an extreme, finds nothing.
  AND (scan.statement NOT IN (SELECT statement FROM passing_scan)
       OR scan.operation = 'SCAN' AND EXISTS (SELECT 1 FROM step_query
                  JOIN predicate ON predicate.statement = scan.statement AND predicate.query = step_query.query
                  WHERE step_query.step = scan.id AND predicate.clause IN ('where', 'join')))
  AND scan.id NOT IN (SELECT step FROM foreign_key_step)
  -- An UPDATE or DELETE whose WHERE asks nothing of its rows changes all of them, or none.
  AND NOT (scan.statement_kind IN ('update', 'delete') AND NOT scan.sorts AND NOT scan.lists
           AND EXISTS (SELECT 1 FROM step_query WHERE step_query.step = scan.id AND step_query.query = 0)
           AND EXISTS (SELECT 1 FROM predicate WHERE predicate.statement = scan.statement AND predicate.query > 0)
           AND NOT EXISTS (SELECT 1 FROM predicate
                           WHERE predicate.statement = scan.statement AND coalesce(predicate.query, 0) = 0
                             AND predicate.clause IN ('where', 'join'))
           AND NOT EXISTS (SELECT 1 FROM base_step AS other WHERE other.plan = scan.plan AND other.correlated))

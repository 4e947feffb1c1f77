-- The words of rules: views over the facts, so that a rule reads as the sentence it is.
--
-- A misspelt view is "no such table" when the rule is loaded; a misspelt constant would match nothing, in silence.
-- Where two rules need the same condition, it belongs here; where a rule needs to know more, that is a fact.

-- ------------------------------------------------------------------------------------------------ statements

-- A function that mends the database or checks all of it, as its name tells: it runs when somebody asks for that.
-- `checks_all`: no row of it is looked at alone.
CREATE VIEW upkeep_function AS
SELECT id AS function, name LIKE '%consistency%' OR name LIKE '%integrity%' AS checks_all
FROM function
WHERE name LIKE 'repair%' OR name LIKE 'verify%' OR name LIKE 'rebuild%' OR name LIKE 'recreate%'
   OR name GLOB '[Ff]ix[A-Z_]*' OR name GLOB '[Dd]edup*' OR name LIKE '%consistency%' OR name LIKE '%integrity%';

-- A statement that rules judge: any but those of tests. `quiet`: judged one level quieter, for it runs seldom or never,
-- as one does that is part of an upkeep and is about no row in particular, is of this table by a guess, or runs well once
-- the program has the statistics that it keeps.
CREATE VIEW judged_statement AS
SELECT *, role <> 'production' OR seldom OR guessed
    OR id IN (SELECT obstacle.statement FROM relief JOIN obstacle ON obstacle.id = relief.obstacle WHERE relief.kind = 'kept')
    OR EXISTS (SELECT 1 FROM upkeep_function
               WHERE upkeep_function.function = statement.function AND (upkeep_function.checks_all
                   OR NOT EXISTS (SELECT 1 FROM parameter WHERE parameter.statement = statement.id))) AS quiet
FROM statement
WHERE role <> 'test';

-- A statement that runs while the program does its work.
CREATE VIEW live_statement AS
SELECT * FROM statement WHERE role = 'production';

-- A statement that runs at start-up, in a migration, in an offline tool, or that nothing calls.
CREATE VIEW quiet_statement AS
SELECT * FROM statement WHERE role IN ('start_up', 'migration', 'offline', 'dead');

-- ----------------------------------------------------------------------------------------------------- plans

-- The variant of a database that stands for it where one is enough: what all migrations declare, or else the first.
CREATE VIEW base_variant AS
SELECT
    database.id AS database,
    (SELECT variant.id FROM variant WHERE variant.database = database.id
     ORDER BY variant.kind = 'declared' DESC, variant.id LIMIT 1) AS variant
FROM database;

-- The plan that stands for a statement where one is enough: that of the declared schema, or else the first.
CREATE VIEW base_plan AS
SELECT
    statement.id AS statement,
    (SELECT plan.id FROM plan JOIN variant ON variant.id = plan.variant WHERE plan.statement = statement.id
     ORDER BY plan.engine, variant.kind = 'declared' DESC, plan.binding = 'none' DESC, plan.id LIMIT 1) AS plan
FROM statement;

-- A step of the base plan of a judged statement. `owner` is the database whose table it reads; NULL where that is not
-- known, and for temporary tables.
CREATE VIEW base_step AS
SELECT
    step.*,
    judged.id AS statement,
    judged.site,
    judged.database,
    judged.kind AS statement_kind,
    judged.quiet,
    judged.limited,
    judged.grouped,
    judged.aggregate,
    plan.variant,
    CASE WHEN step.schema = 'main' THEN judged.database
         ELSE (SELECT attached.target FROM attached
               WHERE attached.database = judged.database AND attached.schema = step.schema) END AS owner
FROM judged_statement AS judged
JOIN base_plan ON base_plan.statement = judged.id
JOIN plan ON plan.id = base_plan.plan
JOIN step ON step.plan = plan.id;

-- A scan of a table: every row of it, or of one of its indexes, is visited, unless something ends it early. The plan of
-- min() and max() says SEARCH for it, without a term to search by.
CREATE VIEW scan AS
SELECT *
FROM base_step
WHERE "table" IS NOT NULL AND (operation = 'SCAN' OR (operation = 'SEARCH' AND equalities = 0 AND ranges = 0));

-- A search in a table: rows are found by a key.
CREATE VIEW search AS
SELECT * FROM base_step WHERE "table" IS NOT NULL AND operation = 'SEARCH' AND (equalities > 0 OR ranges > 0);

-- A column that the index of a search is gone into by.
CREATE VIEW searched_column AS
SELECT search.id AS step, "index"."table", index_column.column
FROM search
JOIN "index" ON "index".variant = search.variant AND "index".name = search."index" AND "index".schema = search.schema
JOIN index_column ON index_column."index" = "index".id AND index_column.ordinal < search.equalities + search.ranges;

-- A sort of all rows for an ORDER BY; not one of the last terms alone, which sorts a group at a time.
CREATE VIEW sort AS
SELECT * FROM base_step WHERE operation = 'TEMP B-TREE' AND purpose = 'ORDER BY';

-- A step that goes by a partial index. What the index leaves out is not read; of one that is ordered in another way than a value in it
-- is sought, that says nothing.
CREATE VIEW partial_step AS
SELECT step.id AS step
FROM step
JOIN plan ON plan.id = step.plan
JOIN "index" ON "index".variant = plan.variant AND "index".name = step."index" AND "index".schema = step.schema
WHERE "index".partial_where IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM obstacle WHERE obstacle.step = step.id AND obstacle."index" = "index".id
                  AND obstacle.kind IN ('collation', 'affinity'));

-- A step that seeks all columns of a unique key: it finds one row at most, or one for each element of a list.
CREATE VIEW unique_step AS
SELECT step.id AS step
FROM step
WHERE step.operation = 'SEARCH' AND step.key = 'rowid' AND step.equalities > 0
UNION ALL
SELECT step.id
FROM step
JOIN plan ON plan.id = step.plan
JOIN "index" ON "index".variant = plan.variant AND "index".name = step."index" AND "index".schema = step.schema
WHERE step.operation = 'SEARCH' AND "index".is_unique AND step.equalities >= (
    SELECT count(*) FROM index_column WHERE index_column."index" = "index".id AND index_column.is_key)
  -- Any number of rows have NULL there.
  AND NOT EXISTS (
        SELECT 1 FROM predicate
        JOIN index_column ON index_column."index" = "index".id AND index_column.is_key AND index_column.column = predicate.column
        WHERE predicate.statement = plan.statement AND predicate."table" = step."table" AND predicate.operator = 'IS NULL')
UNION ALL
SELECT step.id
FROM step
JOIN plan ON plan.id = step.plan
JOIN schema_table ON schema_table.name = step."table" AND schema_table.variant = plan.variant
    AND schema_table.schema = step.schema
WHERE step.operation = 'SEARCH' AND step.key = 'primary_key' AND step.equalities >= (
    SELECT count(*) FROM column WHERE column.schema_table = schema_table.id AND column.primary_key > 0);

-- ------------------------------------------------------------------------------------------------ predicates

-- A term that keeps rows away. A comparison with a column of another table joins the two, and keeps away no row by
-- itself.
CREATE VIEW filter AS
SELECT *
FROM predicate
WHERE clause IN ('where', 'join')
  AND NOT ((predicate.value IS 'column' OR predicate.value_column IS NOT NULL) AND CASE
      WHEN predicate.value_table IS NULL OR predicate."table" IS NULL THEN
          (SELECT count(*) FROM table_reference WHERE table_reference.statement = predicate.statement) > 1
      WHEN predicate.value_table <> predicate."table" THEN 1
      ELSE (SELECT count(*) FROM table_reference WHERE table_reference.statement = predicate.statement
            AND table_reference."table" = predicate."table") > 1 END);

-- A scan of all rows, none of which is tested, and of which a computed OFFSET passes over as many as it likes.
CREATE VIEW passing_scan AS
SELECT scan.id AS step, scan.statement
FROM scan
JOIN statement ON statement.id = scan.statement AND statement.pages AND NOT statement.filtered
JOIN step_query ON step_query.step = scan.id AND step_query.query = 0
WHERE scan.program IS NULL
  AND NOT EXISTS (SELECT 1 FROM predicate WHERE predicate.statement = scan.statement AND predicate.clause IN ('where', 'join')
                  AND predicate.query IS 0)
  AND NOT EXISTS (SELECT 1 FROM step AS sort WHERE sort.plan = scan.plan AND sort.operation = 'TEMP B-TREE');

-- A column by which a DELETE with no other term takes rows away: those below a value, or those above.
CREATE VIEW purged_column AS
SELECT DISTINCT deleting.database, deleted."table", deleted.column, deleted.operator IN ('<', '<=') AS below
FROM statement AS deleting
CROSS JOIN predicate AS deleted ON deleted.statement = deleting.id AND deleted.clause = 'where'
WHERE deleting.kind = 'delete' AND deleting.role NOT IN ('test', 'dead')
  AND deleted.operator IN ('<', '<=', '>', '>=')
  -- A test for a value beside the range changes nothing: no value is neither below nor above.
  AND NOT EXISTS (SELECT 1 FROM predicate AS other
                  WHERE other.statement = deleting.id AND other.id <> deleted.id
                    AND NOT (other.column IS deleted.column AND other.operator = 'IS NOT NULL'));

-- A column in which all rows have one value: a DELETE with no other term takes those away that have another.
CREATE VIEW uniform_column AS
SELECT DISTINCT deleting.database, deleted."table", deleted.column
FROM statement AS deleting
CROSS JOIN predicate AS deleted ON deleted.statement = deleting.id AND deleted.clause = 'where'
WHERE deleting.kind = 'delete' AND deleting.role NOT IN ('test', 'dead')
  AND deleted.operator IN ('<>', '!=', 'IS NOT') AND deleted.value = 'parameter' AND deleted.wrapper IS NULL
  AND NOT EXISTS (SELECT 1 FROM predicate AS other WHERE other.statement = deleting.id AND other.id <> deleted.id);

-- A term that keeps nearly all rows: the program deletes those that fail it, by the same column. A row without a value
-- is none of them.
CREATE VIEW kept_filter AS
SELECT filter.id, filter.statement, filter."table"
FROM purged_column AS purged
CROSS JOIN filter ON filter."table" = purged."table" AND filter.column = purged.column
JOIN statement ON statement.id = filter.statement AND statement.database = purged.database
WHERE filter.operator = 'IS NULL' OR filter.operator IN ('>', '>=') AND purged.below
   OR filter.operator IN ('<', '<=') AND NOT purged.below
UNION
SELECT filter.id, filter.statement, filter."table"
FROM uniform_column
CROSS JOIN filter ON filter."table" = uniform_column."table" AND filter.column = uniform_column.column
JOIN statement ON statement.id = filter.statement AND statement.database = uniform_column.database
WHERE filter.operator IN ('=', '==', 'IS') AND filter.value = 'parameter' AND filter.wrapper IS NULL;

-- A query whose WHERE tests the rows of a step: its own, and those around it that its rows reach. The rows of a
-- subquery in an expression do not reach the query around it. All of them, where the query of the step is not known.
CREATE VIEW testing_query AS
SELECT step_query.step, query_within.within AS query
FROM step_query
JOIN step ON step.id = step_query.step
JOIN plan ON plan.id = step.plan
JOIN query_within ON query_within.statement = plan.statement AND query_within.query = step_query.query
    AND query_within.subqueries = 0
UNION ALL
SELECT step.id, query_within.query
FROM step
JOIN plan ON plan.id = step.plan
JOIN query_within ON query_within.statement = plan.statement AND query_within.query = query_within.within
WHERE NOT EXISTS (SELECT 1 FROM step_query WHERE step_query.step = step.id);

-- A query in FROM, or a common table, that SQLite has made a part of the query around it, and whose tables are read in one
-- join with a step: what it tests is tested of the rows of the step as well. Not the right side of an outer join.
CREATE VIEW merged_query AS
SELECT DISTINCT base_step.id AS step, step_query.query
FROM base_step
JOIN step AS beside ON beside.plan = base_step.plan AND beside.parent IS base_step.parent AND beside.id <> base_step.id
    AND beside.operation IN ('SCAN', 'SEARCH') AND beside."table" IS NOT NULL AND NOT beside.left_join AND NOT beside.first_row
JOIN step_query ON step_query.step = beside.id
WHERE base_step."table" IS NOT NULL AND base_step.operation IN ('SCAN', 'SEARCH') AND NOT base_step.left_join
  AND NOT EXISTS (SELECT 1 FROM step_query AS own WHERE own.step = base_step.id AND own.query = step_query.query);

-- A step whose rows a LIMIT ends: that of its own query, or of one around it that they reach. All of them, where the
-- queries are not known.
CREATE VIEW limited_step AS
SELECT base_step.id AS step
FROM base_step
WHERE base_step.limited
  AND (NOT EXISTS (SELECT 1 FROM query_within WHERE query_within.statement = base_step.statement)
       OR EXISTS (
            SELECT 1
            FROM testing_query
            JOIN query_within ON query_within.statement = base_step.statement
                AND query_within.query = testing_query.query AND query_within.within = testing_query.query
            WHERE testing_query.step = base_step.id AND query_within.limited));

-- A step whose own query has a LIMIT: what SQLite sorts there, nothing around it needs but the rows that are kept.
CREATE VIEW limited_query AS
SELECT step_query.step
FROM step_query
JOIN step ON step.id = step_query.step
JOIN plan ON plan.id = step.plan
JOIN query_within ON query_within.statement = plan.statement
    AND query_within.query = step_query.query AND query_within.within = step_query.query
WHERE query_within.limited AND NOT query_within.windowed;

-- A scan whose rows are tested by the WHERE of its SELECT or of one around it, by the ON of an inner join, or by the
-- program of a trigger, which has its own reason to look for a row.
CREATE VIEW filtered_scan AS
SELECT *
FROM scan
WHERE scan.program IS NOT NULL
   OR EXISTS (
        SELECT 1 FROM filter
        WHERE filter.statement = scan.statement
          AND (filter.query IS NULL
               OR EXISTS (SELECT 1 FROM testing_query
                          WHERE testing_query.step = scan.id AND testing_query.query = filter.query)
               OR EXISTS (SELECT 1 FROM merged_query
                          WHERE merged_query.step = scan.id AND merged_query.query = filter.query))
          AND CASE
              WHEN filter."table" IS NULL OR filter."table" = scan."table" THEN 1
              -- On another table, a subquery may join as a column does, and the ON of an outer join keeps nothing away.
              WHEN filter.value = 'subquery' THEN 0
              WHEN filter.clause = 'where' THEN 1
              ELSE NOT EXISTS (SELECT 1 FROM step WHERE step.plan = scan.plan AND step.left_join) END)
   -- Terms without a column, such as EXISTS, are no predicates; nor is anything where the parser failed.
   OR EXISTS (
        SELECT 1 FROM statement
        WHERE statement.id = scan.statement AND statement.filtered
          AND (EXISTS (SELECT 1 FROM testing_query WHERE testing_query.step = scan.id AND testing_query.query = 0)
               OR NOT EXISTS (SELECT 1 FROM query_within WHERE query_within.statement = scan.statement))
          AND NOT EXISTS (SELECT 1 FROM predicate WHERE predicate.statement = scan.statement
                          AND predicate.clause = 'where' AND coalesce(predicate.query, 0) = 0));

-- A scan of a table whose rows nothing tests but a join with another, in an order that SQLite chose. Where a value singles out rows
-- of the other table, few rows of this one are wanted, too.
CREATE VIEW joined_scan AS
SELECT scan.id AS step
FROM scan
JOIN statement ON statement.id = scan.statement AND statement.text NOT LIKE '%cross join%'
WHERE NOT EXISTS (
        SELECT 1 FROM filter
        WHERE filter.statement = scan.statement AND filter.column IS NOT NULL
          AND (filter."table" = scan."table" OR (filter.operator IN ('=', '==', 'IS') AND filter.value = 'parameter')))
  AND EXISTS (
        SELECT 1
        FROM step_query
        JOIN step_query AS beside ON beside.query = step_query.query AND beside.step <> scan.id
        JOIN base_step ON base_step.id = beside.step AND base_step.plan = scan.plan
        WHERE step_query.step = scan.id);

-- A scan for a view that a statement joins by a column of its table, with the index that would find rows by that: SQLite
-- reads the table first, and the others within its loop. One row for a step.
CREATE VIEW viewed_join AS
SELECT scan.id AS step, read.through_name AS view, asked.column, min("index".name) AS "index"
FROM scan
JOIN read ON read.statement = scan.statement AND read."table" = scan."table" AND read.through = 'view'
JOIN planner_term AS asked ON asked.statement = scan.statement AND asked."table" = scan."table" AND asked.operator = '='
JOIN predicate ON predicate.statement = scan.statement AND predicate.clause IN ('where', 'join')
    AND predicate.operator IN ('=', '==', 'IS') AND predicate.wrapper IS NULL AND predicate.value_column IS NOT NULL
    AND ((predicate."table" = read.through_name AND predicate.column = asked.column)
         OR (predicate.value_table = read.through_name AND predicate.value_column = asked.column))
JOIN "index" ON "index".variant = scan.variant AND "index"."table" = scan."table" AND "index".partial_where IS NULL
JOIN index_column ON index_column."index" = "index".id AND index_column.ordinal = 0 AND index_column.column = asked.column
GROUP BY scan.id;

-- A step of a subquery that SQLite runs as a co-routine, whose rows are sorted outside of it.
CREATE VIEW sorted_routine_step AS
SELECT step.id AS step
FROM step AS routine
JOIN step AS sort ON sort.plan = routine.plan AND sort.parent IS routine.parent
    AND sort.operation = 'TEMP B-TREE' AND sort.purpose = 'ORDER BY'
JOIN step ON step.plan = routine.plan
WHERE routine.operation = 'CO-ROUTINE'
  AND (step.parent = routine.id
       OR step.parent IN (SELECT arm.id FROM step AS compound JOIN step AS arm ON arm.parent = compound.id
                          WHERE compound.parent = routine.id));

-- A scan in a SELECT whose rows are all sorted, of which LIMIT then keeps the first. An aggregate needs them all.
CREATE VIEW sorted_scan AS
SELECT *
FROM scan
WHERE scan.limited AND scan.grouped IS NOT 1 AND scan.aggregate IS NOT 1 AND scan.program IS NULL
  AND scan.id IN (SELECT step FROM limited_step)
  AND (EXISTS (SELECT 1 FROM step AS sort WHERE sort.plan = scan.plan AND sort.parent IS scan.parent
               AND sort.operation = 'TEMP B-TREE' AND sort.purpose = 'ORDER BY')
       OR scan.id IN (SELECT step FROM sorted_routine_step));

-- A search that finds many rows, all of which are sorted before LIMIT keeps the first. A list of keys, each of which an
-- index yields in the order asked for, is no such search: LIMIT ends the sort early. Nor is one for each row of a scan,
-- which is what finds the rows there; where all of a table that stays small is read, and then one row of another for each,
-- what is joined with those has as many.
CREATE VIEW sorted_search AS
SELECT *
FROM search
WHERE search.program IS NULL AND NOT search.automatic
  AND (search.grouped IS NOT 1 OR search.id IN (SELECT step FROM nested_search))
  AND (search.aggregate IS NOT 1 AND search.id IN (SELECT step FROM limited_step) AND NOT search.correlated
       OR (search.aggregate IS NOT 1 OR search.id IN (SELECT step FROM nested_search))
          AND search.id IN (SELECT step FROM limited_query))
  AND NOT EXISTS (SELECT 1
                  FROM base_step AS before
                  JOIN growing_table ON growing_table.database = before.owner AND growing_table."table" = before."table"
                  WHERE before.plan = search.plan AND before.parent IS search.parent
                    AND before.ordinal < search.ordinal AND before.operation = 'SCAN')
  AND NOT (
        EXISTS (SELECT 1 FROM base_step AS before
                WHERE before.plan = search.plan AND before.parent IS search.parent
                  AND before.ordinal < search.ordinal AND before.operation = 'SCAN' AND before."table" IS NOT NULL)
        AND EXISTS (SELECT 1 FROM base_step AS before
                    JOIN unique_step ON unique_step.step = before.id
                    JOIN predicate AS joined ON joined.statement = search.statement
                        AND ((joined."table" = search."table" AND joined.value_table = before."table")
                             OR (joined."table" = before."table" AND joined.value_table = search."table"))
                    WHERE before.plan = search.plan AND before.parent IS search.parent
                      AND before.ordinal < search.ordinal)
        AND NOT EXISTS (SELECT 1 FROM filter WHERE filter.statement = search.statement AND filter."table" = search."table"
                        AND filter.operator IN ('=', '==', 'IS', 'IN')))
  AND EXISTS (SELECT 1 FROM step AS sort WHERE sort.plan = search.plan AND sort.parent IS search.parent
              AND sort.operation = 'TEMP B-TREE' AND sort.purpose = 'ORDER BY')
  AND NOT EXISTS (SELECT 1 FROM unique_step WHERE unique_step.step = search.id)
  AND NOT EXISTS (
        SELECT 1
        FROM "index"
        JOIN index_column AS sought ON sought."index" = "index".id AND sought.ordinal < search.equalities
        JOIN index_column AS next ON next."index" = "index".id AND next.ordinal = search.equalities
        JOIN predicate AS list ON list.statement = search.statement AND list.operator = 'IN'
            AND list.column = sought.column
        JOIN predicate AS term ON term.id = (
            SELECT first.id FROM predicate AS first
            WHERE first.statement = search.statement AND first.clause = 'order_by'
            ORDER BY first.ordinal LIMIT 1) AND term.column = next.column
        WHERE "index".variant = search.variant AND "index".name = search."index");

-- The first term of the ORDER BY of a step's query.
CREATE VIEW first_order AS
SELECT step_query.step, predicate."table", predicate.column, predicate.wrapper
FROM step_query
JOIN step ON step.id = step_query.step
JOIN plan ON plan.id = step.plan
JOIN predicate ON predicate.id = (
    SELECT first.id FROM predicate AS first
    WHERE first.statement = plan.statement AND first.clause = 'order_by'
      AND (first.query IS NULL OR first.query = step_query.query)
    ORDER BY first.ordinal LIMIT 1);

-- A sorted search whose rows an index could yield in order behind the columns that it finds them by: it runs once, by one
-- key, and the first term is a column.
CREATE VIEW ordered_search AS
SELECT search.id AS step
FROM sorted_search AS search
JOIN first_order ON first_order.step = search.id AND first_order."table" = search."table"
    AND first_order.wrapper IS NULL AND first_order.column IS NOT NULL
WHERE search.ranges = 0
  AND NOT EXISTS (SELECT 1 FROM step AS before
                  WHERE before.plan = search.plan AND before.parent IS search.parent
                    AND before.ordinal < search.ordinal AND before.operation IN ('SCAN', 'SEARCH')
                    AND before.id NOT IN (SELECT step FROM unique_step))
  AND NOT EXISTS (SELECT 1 FROM filter
                  WHERE filter.statement = search.statement AND filter."table" = search."table"
                    AND filter.operator = 'IN')
  -- The rowid stands behind the columns of each index already.
  AND NOT EXISTS (SELECT 1 FROM schema_table
                  JOIN column ON column.schema_table = schema_table.id AND column.primary_key > 0
                  WHERE schema_table.variant = search.variant AND schema_table.name = search."table"
                    AND column.name = first_order.column AND upper(column.declared_type) = 'INTEGER');

-- A step that reads all rows of a table again and again. `recursive`: once for each row that a recursive query finds.
CREATE VIEW repeated_read AS
SELECT *
FROM (
    SELECT base_step.*, EXISTS (SELECT 1 FROM step AS parent WHERE parent.id = base_step.parent
                                AND parent.operation = 'RECURSIVE STEP') AS recursive
    FROM base_step
    WHERE base_step."table" IS NOT NULL AND base_step.operation IN ('SCAN', 'SEARCH')
) AS repeated
WHERE automatic OR (equalities = 0 AND ranges = 0 AND (correlated OR recursive OR inside_loop AND EXISTS (
        -- One row of another table is no loop, nor is an EXISTS, which ends at its first row.
        SELECT 1 FROM step AS outer_step
        WHERE outer_step.plan = repeated.plan AND outer_step.parent IS repeated.parent
          AND outer_step.ordinal < repeated.ordinal AND outer_step.operation IN ('SCAN', 'SEARCH')
          AND NOT outer_step.first_row
          AND (outer_step.id NOT IN (SELECT step FROM unique_step)
               OR EXISTS (SELECT 1 FROM predicate
                          WHERE predicate.statement = repeated.statement AND predicate.operator = 'IN'
                            AND predicate."table" = outer_step."table")))));

-- The columns of its table by which the query of a step filters, as words for a message. What other rows have finds none.
CREATE VIEW filter_words AS
SELECT step.id AS step, replace(group_concat(DISTINCT '`' || filter.column || '`'), '`,`', '`, `') AS columns
FROM base_step AS step
JOIN filter ON filter.statement = step.statement AND filter.column IS NOT NULL
    -- What a view is asked for may be a column of the table.
    AND (filter."table" = step."table"
         OR EXISTS (SELECT 1 FROM obstacle
                    JOIN read ON read.statement = step.statement AND read."table" = step."table" AND read.through = 'view'
                    WHERE obstacle.step = step.id AND obstacle.predicate = filter.id AND read.through_name = filter."table"))
WHERE coalesce(filter.operator, '') NOT IN ('NOT IN', '<>', '!=', 'IS NOT')
  AND (filter.query IS NULL
       OR NOT EXISTS (SELECT 1 FROM step_query WHERE step_query.step = step.id)
       OR EXISTS (SELECT 1 FROM step_query WHERE step_query.step = step.id AND step_query.query = filter.query))
GROUP BY step.id;

-- ------------------------------------------------------------------------------------------------------ keys

-- A column of a unique key: of an index, or of a primary key, which has no index where it is the rowid. `key` names it.
CREATE VIEW unique_key_column AS
SELECT "index".variant, "index"."table", 'index ' || "index".id AS key, index_column.column
FROM "index"
JOIN index_column ON index_column."index" = "index".id AND index_column.is_key
WHERE "index".is_unique AND "index".partial_where IS NULL
UNION ALL
SELECT schema_table.variant, schema_table.name, 'table ' || schema_table.id, column.name
FROM schema_table
JOIN column ON column.schema_table = schema_table.id AND column.primary_key > 0;

-- A unique key, and its number of columns. One on an expression is none: `column` is NULL there.
CREATE VIEW unique_key AS
SELECT variant, "table", key, count(*) AS width
FROM unique_key_column
GROUP BY variant, key
HAVING count(column) = count(*);

-- A table of which a statement is given a key, once for each parameter: a row that has it can be there already.
CREATE VIEW given_key AS
SELECT parameter.statement, unique_key.variant, unique_key."table"
FROM parameter
JOIN unique_key ON unique_key."table" = parameter."table"
WHERE NOT EXISTS (
    SELECT 1 FROM unique_key_column AS part
    WHERE part.variant = unique_key.variant AND part.key = unique_key.key
      AND NOT EXISTS (
            SELECT 1 FROM parameter AS given
            WHERE given.statement = parameter.statement AND given."table" = unique_key."table"
              AND given.column = part.column));

-- ------------------------------------------------------------------------------------------------------ size

-- A table into which rows come once in a constant number of times: all inserts run so, or in a branch, where another
-- write of the table runs so.
CREATE VIEW seldom_table AS
SELECT statement.database, write."table"
FROM write
JOIN statement ON statement.id = write.statement AND statement.role = 'production'
LEFT JOIN call ON call.statement = statement.id
WHERE write.through IS NULL AND write.action IN ('insert', 'delete')
GROUP BY statement.database, write."table"
HAVING max(statement.seldom) AND min(write.action <> 'insert' OR statement.seldom OR call.conditional IS 1);

-- A term that spares the rows which the program calls removed, and keeps until others know of that: nearly all are none.
CREATE VIEW undeleted_filter AS
SELECT id, statement
FROM filter
WHERE (lower(column) GLOB '*deleted*' OR lower(column) GLOB '*removed*')
  AND (operator = 'IS NULL' OR operator IN ('=', '==', 'IS') AND upper(literal) IN ('0', 'FALSE')
       OR operator IN ('<>', '!=', 'IS NOT') AND upper(literal) IN ('1', 'TRUE'));

-- A table of which no INSERT says which columns it fills, so that nothing tells what most of its rows have.
CREATE VIEW untold_table AS
SELECT live_statement.database, write."table"
FROM write
JOIN live_statement ON live_statement.id = write.statement AND live_statement.kind IN ('insert', 'replace')
WHERE write.action = 'insert' AND write.through IS NULL
GROUP BY live_statement.database, write."table"
HAVING min(live_statement.holes) > 0;

-- A statement that only asks whether a table has a column yet: right behind it, in the same function, one is added.
CREATE VIEW column_probe AS
SELECT DISTINCT statement.id AS statement
FROM migration_step
JOIN site AS added ON added.id = migration_step.site
CROSS JOIN site ON site.source = added.source AND added.start BETWEEN site.end AND site.end + 300
CROSS JOIN statement ON statement.site = site.id AND statement.kind = 'select' AND NOT statement.filtered
WHERE migration_step.kind = 'alter_table'
  AND NOT EXISTS (SELECT 1 FROM function JOIN site AS own ON own.id = function.site
                  WHERE own.source = site.source AND own.start BETWEEN site.end AND added.start);

-- A statement of the program that takes all rows of a table at once, whatever they are, or all that are not removed. Its text
-- is whole, so that nothing behind it asks for a page alone.
CREATE VIEW whole_read AS
SELECT base_step.owner AS database, base_step."table", base_step.statement
FROM base_step
JOIN live_statement ON live_statement.id = base_step.statement
WHERE base_step.operation = 'SCAN' AND base_step."table" IS NOT NULL AND base_step.program IS NULL
  AND live_statement.kind = 'select' AND live_statement.holes = 0 AND NOT live_statement.seldom AND NOT live_statement.guessed
  AND NOT live_statement.limited
  AND (NOT live_statement.filtered
       OR EXISTS (SELECT 1 FROM undeleted_filter WHERE undeleted_filter.statement = base_step.statement))
  AND NOT live_statement.aggregate AND NOT live_statement.is_distinct
  AND NOT EXISTS (SELECT 1 FROM filter WHERE filter.statement = base_step.statement
                  AND filter.id NOT IN (SELECT id FROM undeleted_filter))
  AND EXISTS (SELECT 1 FROM step_query WHERE step_query.step = base_step.id AND step_query.query = 0)
  AND base_step.statement NOT IN (SELECT statement FROM column_probe);

-- An UPDATE of the running program that writes one column, or when it did so as well.
CREATE VIEW narrow_update AS
SELECT live_statement.id AS statement, live_statement.database, live_statement.function, live_statement.filtered
FROM live_statement
JOIN write ON write.statement = live_statement.id AND write.action = 'update' AND write.through IS NULL
WHERE live_statement.kind = 'update' AND live_statement.function IS NOT NULL AND NOT live_statement.guessed
GROUP BY live_statement.id
HAVING count(DISTINCT write.column) <= 2;

-- A table of which one row is chosen, as people do among a few: a function gives a column to the row of a key, and takes it from
-- all others, or from the one that had it.
CREATE VIEW chosen_table AS
WITH asked AS MATERIALIZED (
    SELECT narrow_update.function, narrow_update.database, write."table", write.column, narrow_update.filtered,
        count(predicate.id) AS terms, min(predicate.operator) AS operator, min(predicate.column) AS key
    FROM narrow_update
    JOIN write ON write.statement = narrow_update.statement AND write.action = 'update' AND write.through IS NULL
    LEFT JOIN predicate ON predicate.statement = narrow_update.statement AND predicate.clause = 'where'
    GROUP BY narrow_update.statement, write."table", write.column
),
giving AS MATERIALIZED (
    SELECT DISTINCT function, database, "table", column, key FROM asked
    WHERE terms = 1 AND operator IN ('=', '==') AND key <> column
),
-- Of all but one, its key is the same; else it is no matter.
taking AS MATERIALIZED (
    SELECT DISTINCT function, database, "table", column, iif(operator IN ('<>', '!='), key, NULL) AS key FROM asked
    WHERE NOT filtered OR terms = 1 AND (operator IN ('<>', '!=') OR operator IN ('=', '==') AND key = column)
)
SELECT DISTINCT giving.database, giving."table"
FROM giving
JOIN taking ON taking.function = giving.function AND taking.database = giving.database
    AND taking."table" = giving."table" AND taking.column = giving.column
    AND (taking.key IS NULL OR taking.key = giving.key);

-- A table whose rows belong to those of another one: each function that fills it deletes first all that one of them has,
-- and puts in what it is to have. `owner` is that table, by the name of the column.
CREATE VIEW owned_table AS
WITH emptied AS (
    SELECT deleting.database, deleting.function, deleted."table", replace(lower(deleted.column), '_', '') AS key
    FROM live_statement AS deleting
    JOIN predicate AS deleted ON deleted.statement = deleting.id AND deleted.clause = 'where'
    WHERE deleting.kind = 'delete' AND deleted.operator IN ('=', '==') AND deleted.value = 'parameter'
    GROUP BY deleting.id
    HAVING count(*) = 1
),
-- By name first, so that not all tables are held against each column.
owned AS (
    SELECT DISTINCT emptied.database, emptied."table", owner.name AS owner
    FROM emptied
    JOIN base_variant ON base_variant.database = emptied.database
    JOIN (SELECT '' AS ending UNION ALL SELECT 's' UNION ALL SELECT 'ss') AS plural
    JOIN schema_table AS owner ON owner.name = substr(emptied.key, 1, length(emptied.key) - 2) || plural.ending
        AND owner.variant = base_variant.variant
        AND owner.name <> emptied."table"
        AND emptied.key IN (lower(owner.name) || 'id', rtrim(lower(owner.name), 's') || 'id')
)
SELECT inserting.database, write."table", owned.owner
FROM live_statement AS inserting
JOIN write ON write.statement = inserting.id AND write.action = 'insert' AND write.through IS NULL
JOIN owned ON owned.database = inserting.database AND owned."table" = write."table"
LEFT JOIN emptied ON emptied.database = inserting.database AND emptied.function = inserting.function
    AND emptied."table" = write."table"
    AND emptied.key IN (lower(owned.owner) || 'id', rtrim(lower(owned.owner), 's') || 'id')
GROUP BY inserting.database, write."table", owned.owner
HAVING count(*) = count(emptied.key);

-- A table that the program reads as a short one: all of it in several places, or all rows at once of those that own its
-- own.
CREATE VIEW listed_table AS
SELECT database, "table"
FROM whole_read
GROUP BY database, "table"
HAVING count(DISTINCT statement) > 1
UNION
SELECT owned_table.database, owned_table."table"
FROM owned_table
JOIN whole_read ON whole_read.database = owned_table.database AND whole_read."table" = owned_table.owner;

-- A table of settings: it is named so, and has a row for each name that the program asks for.
CREATE VIEW settings_table AS
SELECT variant.database, schema_table.name AS "table"
FROM schema_table
JOIN variant ON variant.id = schema_table.variant
JOIN base_variant ON base_variant.variant = variant.id
JOIN unique_key ON unique_key.variant = variant.id AND unique_key."table" = schema_table.name AND unique_key.width = 1
JOIN unique_key_column ON unique_key_column.variant = variant.id AND unique_key_column.key = unique_key.key
JOIN column ON column.schema_table = schema_table.id AND column.name = unique_key_column.column
    AND column.affinity = 'TEXT'
WHERE rtrim(lower(schema_table.name), 's') IN ('setting', 'option', 'preference', 'pref', 'config', 'configuration')
   OR rtrim(lower(schema_table.name), 's') GLOB '*_setting' OR rtrim(lower(schema_table.name), 's') GLOB '*_option'
   OR rtrim(lower(schema_table.name), 's') GLOB '*_preference' OR lower(schema_table.name) GLOB '*_config';

-- A database that holds what people set up: the program reads more than half of its tables as short ones, and at least three.
CREATE VIEW set_up_database AS
SELECT table_size.database
FROM table_size
LEFT JOIN listed_table ON listed_table.database = table_size.database
    AND listed_table."table" = table_size."table"
WHERE table_size.class IN ('growing', 'churning', 'loaded')
  AND EXISTS (SELECT 1 FROM size_evidence
              WHERE size_evidence.table_size = table_size.id AND size_evidence.site IS NOT NULL)
GROUP BY table_size.database
HAVING count(listed_table."table") >= 3 AND count(listed_table."table") * 2 > count(*);

-- A table that the program itself takes for a short one: it reads it so, names it so or chooses so among its rows, or its database holds
-- what people set up.
CREATE VIEW short_table AS
SELECT database, "table" FROM listed_table
UNION
SELECT database, "table" FROM settings_table
UNION
SELECT database, "table" FROM chosen_table
UNION
SELECT beside.database, beside."table"
FROM table_size AS beside
JOIN set_up_database AS set_up ON set_up.database = beside.database;

-- A table that grows by what no statement of the sources does: nothing seen inserts into it.
CREATE VIEW unseen_table AS
SELECT id AS table_size
FROM table_size
WHERE class = 'growing' AND found = 'inferred'
  AND NOT EXISTS (SELECT 1 FROM size_evidence WHERE size_evidence.table_size = table_size.id
                  AND size_evidence.site IS NOT NULL);

-- A table that may have indexes which only the running program knows.
CREATE VIEW indexed_elsewhere AS
SELECT id AS table_size
FROM table_size
WHERE EXISTS (SELECT 1 FROM unread_index
              WHERE unread_index."table" IS NULL OR unread_index."table" = table_size."table");

-- A table whose size can hurt: it grows, or its bound is over 10,000 rows. `how` says so in words that follow its name.
-- `quiet`: judged one level quieter, for its size does not change, lasts as long as the program runs, or grows by one in
-- a constant number of times, or it may have indexes that are not seen; or it is `unseen` how it grows, so that only what an
-- index is proved to cure is worth a warning. `is_short`: the program itself takes it for short.
CREATE VIEW growing_table AS
SELECT
    table_size.id AS table_size,
    table_size.database,
    table_size."table",
    table_size.class,
    table_size.bound,
    CASE WHEN table_size.bound IS NOT NULL THEN printf('can have %,d rows', table_size.bound)
         WHEN table_size.class = 'churning' THEN 'grows despite its DELETEs'
         WHEN unseen_table.table_size IS NOT NULL OR table_size.class = 'loaded' AND NOT EXISTS (
             SELECT 1 FROM size_evidence WHERE size_evidence.table_size = table_size.id AND size_evidence.site IS NOT NULL)
             THEN 'is filled by code that was not found'
         WHEN table_size.class = 'loaded' THEN 'is filled at start-up, with any number of rows'
         ELSE 'grows' END
        || iif(table_size.rows IS NULL, '', iif(table_size.said, ', and is said to have ', ', and had '))
        || CASE WHEN table_size.rows >= 1000000000 THEN printf('%.1f billion rows', table_size.rows / 1e9)
                WHEN table_size.rows >= 1000000 THEN printf('%.1f million rows', table_size.rows / 1e6)
                WHEN table_size.rows = 1 THEN '1 row'
                WHEN table_size.rows < 1000 OR table_size.said THEN printf('%,d rows', table_size.rows)
                -- Three digits are as many as are of use.
                WHEN table_size.rows >= 1000 THEN printf('%s%,d rows',
                    iif(0 + printf('%.3g', table_size.rows) = table_size.rows, '', 'about '), 0 + printf('%.3g', table_size.rows))
                ELSE '' END AS how,
    table_size.class = 'loaded' OR database.in_memory OR unseen_table.table_size IS NOT NULL OR EXISTS (
        SELECT 1 FROM seldom_table
        WHERE seldom_table.database = table_size.database AND seldom_table."table" = table_size."table")
        OR indexed.table_size IS NOT NULL AS quiet,
    unseen_table.table_size IS NOT NULL AND NOT database.in_memory AND indexed.table_size IS NULL AS unseen,
    EXISTS (SELECT 1 FROM short_table WHERE short_table.database = table_size.database
            AND short_table."table" = table_size."table") AS is_short
FROM table_size
JOIN database ON database.id = table_size.database
LEFT JOIN unseen_table ON unseen_table.table_size = table_size.id
LEFT JOIN indexed_elsewhere AS indexed ON indexed.table_size = table_size.id
WHERE table_size.class IN ('growing', 'churning', 'loaded') OR table_size.bound > 10000;

-- What the size of a table was inferred from, as related lines of a finding.
CREATE VIEW size_related AS
SELECT table_size, json_group_array(json_object('site', site, 'message', text)) AS related
FROM size_evidence
WHERE site IS NOT NULL
GROUP BY table_size;

-- ---------------------------------------------------------------------------------------------------- growth

-- Of the searches of growing tables whose rows are sorted together, the one to be told of: that of the table which has the
-- first term of ORDER BY, else the first that nothing makes a note of.
CREATE VIEW growing_sort AS
SELECT *
FROM (
    SELECT sorted.*, row_number() OVER (
        PARTITION BY sorted.plan, sorted.parent
        ORDER BY EXISTS (SELECT 1 FROM first_order
                         WHERE first_order.step = sorted.id AND first_order."table" = sorted."table") DESC,
            growing_table.quiet OR growing_table.is_short, sorted.ordinal) AS place
    FROM sorted_search AS sorted
    JOIN growing_table ON growing_table.database = sorted.owner AND growing_table."table" = sorted."table"
    WHERE sorted.statement IN (SELECT statement FROM costly) OR sorted.id IN (SELECT step FROM nested_search)
)
WHERE place = 1;

-- A search in a subquery that runs again for each row around it, to find the first or the greatest of many, and of which was measured
-- that it reads more where each of those rows has more.
CREATE VIEW nested_search AS
SELECT search.id AS step, search.statement, ' ' || growth.words AS words
FROM search
JOIN growth ON growth.statement = search.statement AND growth.variant = search.variant
    AND growth.data = 'nested' AND NOT growth.explained
WHERE search.correlated AND search.equalities > 0 AND search.program IS NULL
  AND search.id NOT IN (SELECT step FROM unique_step)
GROUP BY search.id;

-- What was measured of a statement where it was worst, but for what is told of a key or a subquery alone.
CREATE VIEW worst_growth AS
SELECT growth.*
FROM (SELECT growth.*, min(growth.id) FROM growth JOIN base_variant ON base_variant.variant = growth.variant
      WHERE growth.data NOT IN ('shared_key', 'nested')
      GROUP BY growth.statement) AS growth;

-- A search that could go by one more column of its index, did an OR not stand in its way.
CREATE VIEW hindered_search AS
SELECT own_step.id AS step, obstacle.id AS obstacle
FROM own_step
JOIN obstacle ON obstacle.step = own_step.id AND obstacle.kind = 'or'
JOIN "index" ON "index".variant = own_step.variant AND "index".name = own_step."index" AND "index".schema = own_step.schema
JOIN index_column ON index_column."index" = "index".id AND index_column.is_key
    AND index_column.ordinal = own_step.equalities AND index_column.column = obstacle.column
WHERE own_step.operation = 'SEARCH' AND own_step.ranges = 0
  AND EXISTS (SELECT 1 FROM filter
              WHERE filter.statement = own_step.statement AND filter.clause = 'where' AND filter.operator = '='
                AND filter."table" = own_step."table" AND filter.column = obstacle.column);

-- A statement whose cost grows with the rows that share the key it is searched by, of which it wants few, and that an index
-- would spare, or spares but for an OR: nobody knows that a key has many rows, so that it costs too much only perhaps.
CREATE VIEW shared_growth AS
SELECT DISTINCT growth.statement, coalesce(' ' || growth.words, '') AS words
FROM growth
JOIN base_variant ON base_variant.variant = growth.variant
JOIN obstacle ON obstacle.statement = growth.statement
LEFT JOIN relief ON relief.obstacle = obstacle.id AND relief.kind = 'index' AND relief.proved
WHERE (relief.obstacle IS NOT NULL OR obstacle.id IN (SELECT obstacle FROM hindered_search))
  AND growth.data = 'shared_key' AND NOT growth.explained AND growth.binding <> 'wide'
  AND growth.statement NOT IN (SELECT worst_growth.statement FROM worst_growth
                               WHERE worst_growth.explained = 0 AND worst_growth.binding <> 'wide');

-- A statement whose cost grows with its tables, and no rows that the caller gets explain it. Where nothing could be
-- measured, the plan alone judges, and the statement is here too. `words` say in which distribution of values.
CREATE VIEW costly AS
SELECT statement, class, coalesce(' ' || words, '') AS words
FROM worst_growth
WHERE explained = 0 AND binding <> 'wide'
UNION ALL
SELECT statement, 'linear', ''
FROM unmeasured;

-- A step that yields a smallest or largest value at once where nothing was measured: nothing but the first column of its
-- index, or but the rowid, is read.
CREATE VIEW first_or_last_step AS
SELECT base_step.id AS step
FROM base_step
LEFT JOIN "index" ON "index".variant = base_step.variant AND "index".name = base_step."index"
    AND "index".schema = base_step.schema
LEFT JOIN index_column ON index_column."index" = "index".id AND index_column.ordinal = 0
WHERE base_step.operation = 'SEARCH' AND base_step.equalities + base_step.ranges = 0
  AND base_step.statement IN (SELECT statement FROM unmeasured)
  AND NOT EXISTS (
        SELECT 1 FROM read
        WHERE read.statement = base_step.statement AND read."table" = base_step."table"
          AND read.schema = base_step.schema AND read.through IS NULL AND read.column <> ''
          AND CASE WHEN base_step."index" IS NOT NULL THEN read.column IS NOT index_column.column
              ELSE NOT EXISTS (
                SELECT 1
                FROM schema_table
                JOIN column ON column.schema_table = schema_table.id AND column.name = read.column
                WHERE schema_table.variant = base_step.variant AND schema_table.name = read."table"
                  AND schema_table.schema = read.schema AND NOT schema_table.without_rowid
                  AND column.primary_key = 1 AND lower(column.declared_type) = 'integer'
                  AND NOT EXISTS (SELECT 1 FROM column AS other WHERE other.schema_table = schema_table.id
                                  AND other.primary_key = 2)) END);

-- A statement that costs too much only where many rows share a key, and that wants all of those, each once: rows that were
-- made may be equal where others are not.
CREATE VIEW grouped_growth AS
SELECT worst_growth.statement
FROM worst_growth
JOIN statement ON statement.id = worst_growth.statement AND statement.limited IS NOT 1
    AND statement.is_distinct
WHERE worst_growth.data = 'few_groups'
  AND NOT EXISTS (SELECT 1 FROM growth
                  WHERE growth.statement = worst_growth.statement AND growth.variant = worst_growth.variant
                    AND growth.data <> 'few_groups' AND NOT growth.explained AND growth.binding <> 'wide');

-- A scan of a statement that holds a whole table against another one, for what is in the one and NOT IN the other: it
-- wants to see each row, and an index helps it as little as one for a single value of few.
CREATE VIEW checking_scan AS
SELECT scan.id AS step
FROM scan
WHERE scan.limited IS NOT 1
  AND EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement
              AND filter.operator = 'NOT IN' AND filter.value = 'subquery')
  AND NOT EXISTS (
        SELECT 1
        FROM filter
        LEFT JOIN column_values ON column_values.database = scan.owner AND column_values."table" = filter."table"
            AND column_values.column = filter.column
        WHERE filter.statement = scan.statement AND filter."table" = scan."table"
          AND filter.operator IN ('=', '==', 'IS') AND filter.value = 'parameter'
          AND column_values."distinct" IS NOT 'few')
UNION
-- So does what changes the rows that have no partner: `a LEFT JOIN b … WHERE b.id IS NULL`.
SELECT scan.id
FROM scan
WHERE scan.statement_kind IN ('delete', 'update') AND scan.limited IS NOT 1 AND NOT scan.left_join
  AND EXISTS (SELECT 1 FROM base_step AS partner
              JOIN filter ON filter.statement = partner.statement AND filter."table" = partner."table" AND filter.operator = 'IS NULL'
              WHERE partner.plan = scan.plan AND partner.left_join AND partner.parent IS scan.parent
                AND NOT EXISTS (SELECT 1 FROM filter AS own
                                WHERE own.statement = scan.statement AND own.id <> filter.id AND own.query IS filter.query
                                  AND own."table" IN (scan."table", partner."table"))
                -- A column that may be NULL by itself says nothing of a partner.
                AND (EXISTS (SELECT 1 FROM predicate AS joined
                             WHERE joined.statement = scan.statement AND joined.clause = 'join'
                               AND ((joined."table" = partner."table" AND joined.column = filter.column)
                                    OR (joined.value_table = partner."table" AND joined.value_column = filter.column)))
                     OR EXISTS (SELECT 1 FROM schema_table
                                JOIN column ON column.schema_table = schema_table.id AND column.name = filter.column
                                WHERE schema_table.variant = scan.variant AND schema_table.name = partner."table"
                                  AND (column.not_null OR column.primary_key > 0))))
UNION
-- NOT EXISTS says the same; where the table has a term of its own beside it, that says which rows are meant.
SELECT scan.id
FROM scan
JOIN step_query ON step_query.step = scan.id
JOIN query_within AS tested ON tested.statement = scan.statement AND tested.query = tested.within AND tested.negated
JOIN query_within AS around ON around.statement = tested.statement AND around.query = tested.query
    AND around.within = step_query.query AND around.subqueries = 1
WHERE scan.limited IS NOT 1
  AND NOT EXISTS (SELECT 1 FROM filter
                  WHERE filter.statement = scan.statement AND filter."table" = scan."table"
                    AND filter.query IS step_query.query
                    AND filter.operator NOT IN ('<>', '!=', 'IS NOT', 'IS NOT NULL', 'NOT IN')
                    -- What an UPDATE gives its rows, the others have not.
                    AND NOT EXISTS (SELECT 1 FROM predicate AS given
                                    WHERE given.statement = scan.statement AND given.clause = 'set'
                                      AND given.column = filter.column))
UNION
-- So does one whose groups alone are tested, all of them, by a query around it.
SELECT scan.id
FROM scan
JOIN step_query ON step_query.step = scan.id AND step_query.query > 0
WHERE scan.limited IS NOT 1
  AND EXISTS (SELECT 1 FROM predicate WHERE predicate.statement = scan.statement
              AND predicate.query = step_query.query AND predicate.clause = 'group_by')
  AND NOT EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement
                  AND (filter.query IS NULL OR filter.query = step_query.query OR filter."table" = scan."table"))
UNION
-- And one whose rows are all numbered by a window, for those behind a number: what is there too often.
SELECT scan.id
FROM scan
JOIN step_query ON step_query.step = scan.id AND step_query.query > 0
JOIN query_within ON query_within.statement = scan.statement AND query_within.query = step_query.query
    AND query_within.within = step_query.query AND query_within.windowed
WHERE scan.limited IS NOT 1
  AND EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement
              AND filter."table" IS NULL AND filter.operator IN ('>', '>=', '<>', '!='))
  AND NOT EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement
                  AND (filter.query IS NULL OR filter.query = step_query.query
                       OR filter.operator IN ('=', '==', 'IS', 'IN')));

-- A scan by which an UPDATE spares the rows that have the new value already: all are meant.
CREATE VIEW sparing_scan AS
SELECT scan.id AS step
FROM scan
WHERE scan.statement_kind = 'update'
  AND EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement)
  AND NOT EXISTS (
        SELECT 1 FROM filter
        WHERE filter.statement = scan.statement
          AND NOT (filter.operator IN ('<>', '!=', 'IS NOT') AND EXISTS (
                SELECT 1 FROM predicate AS given
                WHERE given.statement = scan.statement AND given.clause = 'set' AND given.column = filter.column
                  AND given.literal = filter.literal)));

-- A scan that spares the rows which have a value of its caller, and tests nothing else: no index finds those that have another, and all
-- but few are meant.
CREATE VIEW negated_scan AS
SELECT scan.id AS step
FROM scan
WHERE scan.statement_kind IN ('delete', 'update', 'select') AND scan.limited IS NOT 1
  AND EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement AND filter."table" = scan."table")
  AND NOT EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement
                  AND (filter.operator NOT IN ('<>', '!=', 'IS NOT', 'NOT IN', 'NOT LIKE', 'NOT GLOB', 'NOT BETWEEN')
                       -- NULL, too, may be asked for by IS NOT.
                       OR scan.statement_kind = 'select' AND filter.operator = 'IS NOT'
                       -- Of a value that the program fixes, a partial index leaves the rows out.
                       OR filter.value IS 'literal'));

-- A step for which there is a partial index that serves it while one value is bound: who made it binds that, perhaps nothing else.
CREATE VIEW bound_step AS
SELECT step FROM obstacle WHERE kind = 'bound' AND step IS NOT NULL;

-- A search of a SELECT by a lower bound of the rowid, which tests nothing that few rows pass: above a number that is written in it are nearly
-- all of them, and where groups are made of these, or none is asked for but those with a value, they are wanted. A LIMIT of one row ends a
-- search above any, where the rest are upper bounds that the caller gives.
CREATE VIEW walked_search AS
SELECT search.id AS step
FROM search
JOIN schema_table ON schema_table.variant = search.variant AND schema_table.schema = search.schema
    AND schema_table.name = search."table"
JOIN (
    SELECT filter.*, filter.column IN ('rowid', 'oid', '_rowid_') OR EXISTS (
        SELECT 1 FROM column WHERE column.schema_table = key_table.id AND column.name = filter.column AND column.primary_key = 1) AS is_key,
        key_table.id AS key_table
    FROM filter
    JOIN schema_table AS key_table ON key_table.name = filter."table"
) AS bound ON bound.statement = search.statement AND bound.key_table = schema_table.id AND bound.is_key
    AND bound.operator IN ('>', '>=') AND bound.wrapper IS NULL
WHERE search.statement_kind = 'select' AND search.key = 'rowid' AND search.equalities = 0 AND search.program IS NULL
  AND (bound.value = 'literal' AND (search.limited IS NOT 1 OR search.grouped)
       AND NOT EXISTS (
            SELECT 1 FROM filter
            WHERE filter.statement = search.statement AND filter.id <> bound.id
              AND NOT (filter.operator = 'IS NOT NULL' OR filter.operator IN ('<>', '!=') AND filter.literal IN ('''''', '""')))
       OR search.limited AND search.grouped IS NOT 1 AND search.aggregate IS NOT 1 AND NOT EXISTS (
            SELECT 1 FROM filter
            WHERE filter.statement = search.statement AND filter.id <> bound.id
              AND NOT (filter."table" = search."table" AND filter.operator IN ('<', '<=') AND filter.value = 'parameter')));

-- A search whose index holds all columns of the table that are compared, and which tests nothing beside its key but that rows do not have
-- some value: no index on columns finds fewer, and nobody knows that most rows have it.
CREATE VIEW sparing_search AS
SELECT search.id AS step
FROM search
JOIN "index" ON "index".variant = search.variant AND "index".name = search."index" AND "index".schema = search.schema
WHERE search.statement NOT IN (SELECT obstacle.statement FROM obstacle
                               JOIN relief ON relief.obstacle = obstacle.id AND relief.proved)
  AND EXISTS (SELECT 1 FROM filter WHERE filter.statement = search.statement AND filter."table" = search."table"
              AND filter.operator IN ('<>', '!=', 'IS NOT', 'NOT IN'))
  AND NOT EXISTS (
        SELECT 1 FROM filter
        WHERE filter.statement = search.statement
          AND NOT EXISTS (SELECT 1 FROM searched_column AS held
                          WHERE held.step = search.id AND held."table" = filter."table" AND held.column = filter.column)
          AND NOT (filter."table" = search."table" AND filter.operator IN ('<>', '!=', 'IS NOT', 'NOT IN')
                   AND EXISTS (SELECT 1 FROM index_column
                               WHERE index_column."index" = "index".id AND index_column.column = filter.column)));

-- A scan of a SELECT that adds up, or puts in groups, a share of a table which the program itself fixes: each term compares with
-- what is written there, and no UPDATE changes the column. Whoever calls it, and however large the table is, the share is the
-- same. A number of rows alone may be had of an index.
CREATE VIEW totalling_scan AS
SELECT scan.id AS step
FROM scan
WHERE scan.statement_kind = 'select' AND scan.aggregate AND scan.limited IS NOT 1
  AND EXISTS (SELECT 1 FROM called_function WHERE called_function.statement = scan.statement
              AND (called_function.name IN ('sum', 'total', 'avg') OR called_function.name = 'count' AND scan.grouped))
  AND NOT EXISTS (SELECT 1 FROM called_function WHERE called_function.statement = scan.statement
                  AND called_function.name IN ('min', 'max'))
  AND EXISTS (SELECT 1 FROM filter WHERE filter.statement = scan.statement AND filter."table" = scan."table")
  AND NOT EXISTS (SELECT 1 FROM parameter WHERE parameter.statement = scan.statement)
  AND NOT EXISTS (
        SELECT 1 FROM filter
        WHERE filter.statement = scan.statement
          AND NOT (filter.operator IN ('IS NULL', 'IS NOT NULL') OR filter.value IN ('literal', 'column')))
  AND NOT EXISTS (
        SELECT 1
        FROM filter
        JOIN predicate AS given ON given.clause = 'set' AND given.column = filter.column
        JOIN statement AS giving ON giving.id = given.statement AND giving.database = scan.owner
            AND giving.role NOT IN ('test', 'dead', 'migration')
        JOIN write ON write.statement = giving.id AND write."table" = filter."table"
        WHERE filter.statement = scan.statement
          -- What a sum leaves out until an UPDATE says what it is of a row is no share that stays.
          AND NOT (filter.operator IN ('>', '>=', '<>', '!=') AND filter.value = 'literal' AND given.value = 'parameter'
                   AND EXISTS (SELECT 1 FROM called_function WHERE called_function.statement = scan.statement
                               AND called_function.name IN ('sum', 'total', 'avg'))));

-- A statement that holds a whole table against another one, and is about no row in particular.
CREATE VIEW checking_statement AS
SELECT id AS statement
FROM judged_statement
WHERE limited IS NOT 1
  AND (EXISTS (SELECT 1 FROM filter WHERE filter.statement = judged_statement.id
               AND filter.operator = 'NOT IN' AND filter.value = 'subquery')
       OR EXISTS (SELECT 1 FROM query_within WHERE query_within.statement = judged_statement.id
                  AND query_within.negated))
  AND NOT EXISTS (SELECT 1 FROM filter WHERE filter.statement = judged_statement.id
                  AND filter.operator IN ('=', '==', 'IS', 'IN') AND filter.value = 'parameter');

-- A statement that makes one result of each group of all rows, and is about no row in particular: a report.
CREATE VIEW reporting_statement AS
SELECT id AS statement
FROM judged_statement
WHERE kind = 'select' AND aggregate AND grouped AND limited IS NOT 1
  AND NOT EXISTS (SELECT 1 FROM parameter WHERE parameter.statement = judged_statement.id);

-- A search of a range by a statement that counts or adds up what it finds there, and asks for no row in particular: each
-- row of the range is looked at for the number.
CREATE VIEW counting_search AS
SELECT search.id AS step
FROM search
WHERE search.equalities = 0 AND search.statement_kind = 'select' AND search.aggregate AND search.grouped IS NOT 1
  AND search.limited IS NOT 1
  AND EXISTS (SELECT 1 FROM called_function WHERE called_function.statement = search.statement
              AND called_function.name IN ('count', 'sum', 'total', 'avg'))
  -- A smallest or largest value needs one row of them.
  AND NOT EXISTS (SELECT 1 FROM called_function WHERE called_function.statement = search.statement
                  AND called_function.name IN ('min', 'max'))
  AND NOT EXISTS (
        SELECT 1
        FROM filter
        LEFT JOIN column_values ON column_values.database = search.owner AND column_values."table" = filter."table"
            AND column_values.column = filter.column
        WHERE filter.statement = search.statement AND filter."table" = search."table"
          AND filter.operator IN ('=', '==', 'IS', 'IN') AND column_values."distinct" IS NOT 'few'
          AND (filter.value IS NOT 'literal' OR filter.operator = 'IN'));

-- A search of a SELECT that makes one value of all that is found, or counts or adds up groups of it, and tests nothing but what the search
-- goes by: each row is wanted for a value, unless an index is known that has it at an end.
CREATE VIEW aggregated_search AS
SELECT search.id AS step
FROM search
WHERE search.statement_kind = 'select' AND search.aggregate AND search.limited IS NOT 1
  AND search.program IS NULL
  AND search.id NOT IN (SELECT step FROM obstacle_help WHERE kind <> 'random_order')
  -- A smallest or largest value of a group needs one row of it.
  AND (search.grouped IS NOT 1
       OR EXISTS (SELECT 1 FROM called_function WHERE called_function.statement = search.statement
                  AND called_function.name IN ('count', 'sum', 'total', 'avg')))
  AND EXISTS (SELECT 1 FROM filter WHERE filter.statement = search.statement)
  AND NOT EXISTS (
        SELECT 1 FROM filter
        WHERE filter.statement = search.statement
          AND NOT EXISTS (SELECT 1 FROM searched_column AS held
                         WHERE held.step = search.id AND held."table" = filter."table" AND held.column = filter.column));

-- A search of a table that is joined with others by a key that is all that the statement compares with a value: what is found
-- is wanted, but for what the join leaves out.
CREATE VIEW joined_search AS
SELECT search.id AS step
FROM search
JOIN statement ON statement.id = search.statement AND statement.kind = 'select' AND statement.limited IS NOT 1
WHERE search.equalities > 0 AND search.ranges = 0
  AND search.id NOT IN (SELECT step FROM obstacle_help WHERE kind <> 'random_order')
  AND EXISTS (SELECT 1 FROM base_step AS other
              WHERE other.plan = search.plan AND other.parent IS search.parent AND other.id <> search.id
                AND other.program IS NULL AND other.operation IN ('SCAN', 'SEARCH') AND other."table" IS NOT NULL)
  AND NOT EXISTS (
        SELECT 1 FROM filter
        WHERE filter.statement = search.statement
          AND coalesce(filter.operator, '') NOT IN ('IS NULL', 'IS NOT NULL')
          AND NOT (filter.operator IS 'NOT IN' AND filter.value IS 'subquery')
          AND NOT (filter."table" IS search."table" AND filter.operator IN ('=', '==', 'IS', 'IN')
                   AND EXISTS (
                        SELECT 1
                        FROM "index"
                        JOIN index_column ON index_column."index" = "index".id
                            AND index_column.ordinal < search.equalities
                        WHERE "index".variant = search.variant AND "index".schema = search.schema
                          AND "index".name = search."index" AND index_column.column = filter.column)));

-- A search for the rows in which a column has no value yet, by an index that begins with it, where an UPDATE gives each
-- its value: what waits is few, however many rows there are.
CREATE VIEW waiting_search AS
SELECT search.id AS step
FROM search
JOIN "index" ON "index".variant = search.variant AND "index".name = search."index"
JOIN index_column ON index_column."index" = "index".id AND index_column.ordinal = 0
JOIN filter ON filter.statement = search.statement AND filter."table" = search."table"
    AND filter.column = index_column.column AND filter.operator = 'IS NULL'
WHERE EXISTS (
        SELECT 1
        FROM predicate AS given
        JOIN live_statement AS giving ON giving.id = given.statement AND giving.database = search.owner
        JOIN write ON write.statement = giving.id AND write.action = 'update' AND write."table" = search."table"
        WHERE given.clause = 'set' AND given.column = filter.column AND giving.filtered
          AND given.value <> 'literal');

-- A search by an index whose first column has few values, and what that column is compared with.
CREATE VIEW flag_search AS
SELECT search.id AS step, search.statement, search.owner, search.variant, search.schema, search."table",
    "index".id AS "index", filter.column, filter.value, filter.literal
FROM search
JOIN "index" ON "index".variant = search.variant AND "index".name = search."index" AND "index".schema = search.schema
JOIN index_column ON index_column."index" = "index".id AND index_column.ordinal = 0
JOIN filter ON filter.statement = search.statement AND filter."table" = search."table"
    AND filter.column = index_column.column AND filter.operator IN ('=', '==', 'IS')
JOIN column_values ON column_values.database = search.owner AND column_values."table" = filter."table"
    AND column_values.column = filter.column AND column_values."distinct" = 'few';

-- A column that an UPDATE gives what its caller says (`literal` is empty), or this literal.
CREATE VIEW passing_column AS
SELECT DISTINCT giving.database, write."table", given.column, iif(given.value = 'parameter', '', given.literal) AS literal
FROM predicate AS given
JOIN live_statement AS giving ON giving.id = given.statement AND giving.filtered
JOIN write ON write.statement = giving.id AND write.action = 'update'
WHERE given.clause = 'set' AND (given.value = 'parameter' OR given.literal IS NOT NULL);

-- A search for the state that rows begin with, by an index that begins with the column of it, where an UPDATE gives it what its
-- caller says, or takes it back to that, which something else has changed then. So those that have it may be few, as what waits
-- in a queue is.
CREATE VIEW passing_search AS
SELECT DISTINCT search.step, search.statement, search."index"
FROM flag_search AS search
JOIN schema_table ON schema_table.variant = search.variant AND schema_table.name = search."table"
    AND schema_table.schema = search.schema
JOIN column ON column.schema_table = schema_table.id AND column.name = search.column
    AND column.default_value = search.literal
WHERE search.value = 'literal' AND EXISTS (SELECT 1 FROM passing_column
              WHERE passing_column.database = search.owner AND passing_column."table" = search."table"
                AND passing_column.column = search.column AND passing_column.literal IN ('', column.default_value));

-- A DELETE of old rows, but for those that others need: each of the old is held against these whenever it runs, which no index
-- spares.
CREATE VIEW sweeping_statement AS
SELECT DISTINCT statement.id AS statement
FROM statement
JOIN predicate AS old ON old.statement = statement.id AND old.clause = 'where' AND old.operator IN ('<', '<=')
JOIN predicate AS needed ON needed.statement = statement.id AND needed.clause = 'where' AND needed.operator = 'NOT IN'
    AND needed.value = 'subquery' AND needed."table" IS old."table" AND needed.query IS old.query
WHERE statement.kind = 'delete';

-- A scan that looks for a part of a text, and for nothing else: no index of a column holds those. The end of a text is none: an
-- index finds that where a column holds the text in reverse.
CREATE VIEW substring_scan AS
SELECT scan.id AS step
FROM scan
JOIN filter ON filter.statement = scan.statement AND filter."table" = scan."table"
GROUP BY scan.id
HAVING min(coalesce(filter.wrapper, '') LIKE 'instr(%'
    OR filter.operator LIKE '%LIKE' AND coalesce(filter.literal, '') LIKE '''\%%' ESCAPE '\'
        AND filter.literal LIKE '%\%''' ESCAPE '\'
    OR filter.operator LIKE '%GLOB' AND coalesce(filter.literal, '') LIKE '''*%' AND filter.literal LIKE '%*''');

-- A scan of a table that stands in a FROM beside others, and of which no term compares a column with anything.
CREATE VIEW loose_scan AS
SELECT base_step.*
FROM base_step
JOIN statement ON statement.id = base_step.statement AND statement.filtered
WHERE base_step.operation = 'SCAN' AND base_step."table" IS NOT NULL AND base_step.program IS NULL
  AND base_step.statement_kind = 'select' AND base_step.limited IS NOT 1
  AND EXISTS (SELECT 1 FROM predicate WHERE predicate.statement = base_step.statement AND predicate.clause = 'where')
  AND EXISTS (
        SELECT 1
        FROM step_query
        JOIN table_reference AS other ON other.statement = base_step.statement AND other.query = step_query.query
        WHERE step_query.step = base_step.id AND other.schema IS NOT NULL AND other."table" <> base_step."table")
  -- A NATURAL JOIN compares the columns that two tables share, and says so nowhere.
  AND NOT EXISTS (
        SELECT 1
        FROM table_reference AS own
        JOIN table_reference AS other ON other.statement = own.statement AND other.query = own.query
            AND other."table" <> own."table" AND (own.natural OR other.natural)
        JOIN schema_table AS own_table ON own_table.variant = base_step.variant AND own_table.name = own."table"
        JOIN schema_table AS other_table ON other_table.variant = base_step.variant
            AND other_table.name = other."table"
        JOIN column ON column.schema_table = own_table.id
        JOIN column AS shared ON shared.schema_table = other_table.id AND shared.name = column.name
        WHERE own.statement = base_step.statement AND own."table" = base_step."table")
  AND NOT EXISTS (
        SELECT 1 FROM predicate
        WHERE predicate.statement = base_step.statement AND predicate.clause IN ('where', 'join')
          AND (predicate."table" IS NULL OR predicate."table" = base_step."table"
               OR predicate.value = 'subquery' OR predicate.value_table IS base_step."table"));

-- -------------------------------------------------------------------------------------------- random values

-- An index that is written with each row of a table that grows, and whose keys come in no order, for the values of
-- `column` don't: hashes and what is made of them, random identifiers. Each row goes to another page. `is_text`: they are
-- stored as text, in which each byte of such a value takes two. `share`: what of the pages that a row writes is for this
-- index, in percent.
CREATE VIEW random_index AS
SELECT "index".id AS "index", "index".variant, "index"."table", "index".name, "index".origin, "index".site,
    variant.database, write_cost.column, write_cost.pages, write_cost.bytes,
    column.affinity IS 'TEXT' AS is_text,
    100 * write_cost.pages / row_price.pages AS share
FROM write_cost
JOIN "index" ON "index".id = write_cost."index"
JOIN variant ON variant.id = write_cost.variant
JOIN row_price ON row_price.variant = write_cost.variant AND row_price."table" = write_cost."table"
JOIN growing_table ON growing_table.database = variant.database AND growing_table."table" = write_cost."table"
    AND NOT growing_table.quiet
JOIN schema_table ON schema_table.variant = write_cost.variant AND schema_table.name = write_cost."table"
    AND schema_table.schema = write_cost.schema
LEFT JOIN column ON column.schema_table = schema_table.id AND column.name = write_cost.column
WHERE write_cost.key_order = 'random';

-- What a row of a table costs in all its B-trees, in hundredths of pages, and what it would cost if the table had rowids.
CREATE VIEW row_price AS
SELECT variant, "table", sum(pages) AS pages, sum(coalesce(rowid_pages, pages)) AS rowid_pages, max(rows) AS rows
FROM write_cost
GROUP BY variant, "table";

-- ----------------------------------------------------------------------------------------------------- loops

-- Which parameter of a function is bound in a statement: in its own, or in that of a function that it calls, and hands
-- the parameter on to. `apart`: the calls in between.
CREATE VIEW passed_parameter AS
WITH RECURSIVE passed(function, parameter, statement, ordinal, name, in_transaction, commits, conditional, apart) AS (
    SELECT call.caller, argument.parameter, call.statement, argument.ordinal, argument.name, call.in_transaction,
        call.commits, call.conditional, 0
    FROM call
    CROSS JOIN argument ON argument.call = call.id
    WHERE call.statement IS NOT NULL AND call.caller IS NOT NULL AND call.loop_depth = 0
      AND argument.parameter IS NOT NULL
    UNION
    SELECT call.caller, argument.parameter, passed.statement, passed.ordinal, passed.name,
        max(coalesce(call.in_transaction, passed.in_transaction), coalesce(passed.in_transaction, call.in_transaction)),
        coalesce(passed.commits, call.commits), max(passed.conditional, call.conditional), passed.apart + 1
    FROM passed
    CROSS JOIN call ON call.callee = passed.function AND call.loop_depth = 0 AND call.caller IS NOT NULL
    CROSS JOIN argument ON argument.call = call.id AND argument.ordinal = passed.parameter
    WHERE argument.parameter IS NOT NULL AND passed.apart < 2
)
SELECT * FROM passed;

-- A statement that a loop runs again and again, and what of the loop it binds: the loop calls what runs it, or a
-- function that hands its parameter on. `in_transaction` is NULL where nothing tells; `committed`: each turn ends the
-- transaction that a driver began by itself; `own_connection`: what it runs on is none of its function's parameters.
-- Loops that tests, tools and start-up code make, and those over a few elements, are not here. `site`: the call of the
-- helper, or the statement. `turn`, `through`, `related`: what a message calls a turn of the loop, the helper, and the
-- places that belong to it.
CREATE VIEW looped_statement AS
WITH looped AS MATERIALIZED (
    SELECT call.id AS call, NULL AS call_site, call.loop, call.outermost_loop, call.loop_depth, call.loop_source,
        call.loop_searches,
        call.loop_writes, call.loop_waits, call.loop_asks, call.conditional, call.caller, call.statement,
        argument.ordinal, argument.name, argument.origin, call.in_transaction, call.commits IS 'loop' AS committed,
        NULL AS helper
    FROM call
    CROSS JOIN argument ON argument.call = call.id
    WHERE call.statement IS NOT NULL AND call.loop IS NOT NULL AND argument.origin IN ('loop_item', 'last_result')
    UNION ALL
    SELECT call.id, call.site, call.loop, call.outermost_loop, call.loop_depth, call.loop_source, call.loop_searches,
        call.loop_writes, call.loop_waits, call.loop_asks, max(call.conditional, passed.conditional), call.caller,
        passed.statement,
        passed.ordinal, passed.name, argument.origin,
        max(coalesce(call.in_transaction, passed.in_transaction),
            coalesce(passed.in_transaction, call.in_transaction)),
        call.commits IS 'loop' OR passed.commits IS NOT NULL, call.callee_name
    FROM call
    CROSS JOIN argument ON argument.call = call.id
    CROSS JOIN passed_parameter AS passed ON passed.function = call.callee AND passed.parameter = argument.ordinal
    WHERE call.loop IS NOT NULL AND argument.origin IN ('loop_item', 'last_result')
)
SELECT looped.*, coalesce(looped.call_site, statement.site) AS site, statement.kind, statement.database,
    statement.limited, statement.ordered,
    NOT (SELECT given_connection FROM function WHERE function.id = statement.function) AS own_connection,
    parameter."table", parameter.column, parameter.is_list,
    CASE looped.loop_source WHEN 'rows' THEN 'row' WHEN 'range' THEN 'number' ELSE 'element' END AS turn,
    iif(looped.helper IS NULL, '', printf(', through `%s`', looped.helper)) AS through,
    iif(looped.helper IS NULL,
        json_array(json_object('site', looped.loop, 'message', 'the loop')),
        json_array(json_object('site', looped.loop, 'message', 'the loop'),
                   json_object('site', statement.site, 'message', 'the statement'))) AS related
FROM looped
JOIN function ON function.id = looped.caller AND function.role = 'production'
JOIN judged_statement AS statement ON statement.id = looped.statement AND NOT statement.quiet
LEFT JOIN parameter ON parameter.statement = looped.statement
    AND (ltrim(parameter.name, ':@$') = ltrim(looped.name, ':@$') OR (looped.name IS NULL AND parameter.ordinal = looped.ordinal))
WHERE looped.loop_source <> 'fixed';

-- A scan that a loop makes for each of any number of elements, of a table that is taken for short only since the program reads all of
-- it elsewhere: what is read once there is read for each element here.
CREATE VIEW repeated_scan AS
SELECT scan.id AS step
FROM scan
JOIN listed_table ON listed_table.database = scan.owner AND listed_table."table" = scan."table"
WHERE EXISTS (SELECT 1 FROM looped_statement AS looped
              WHERE looped.statement = scan.statement AND looped.origin = 'loop_item' AND NOT looped.conditional
                AND looped.loop_source IN ('rows', 'collection', 'range'))
  AND scan.owner NOT IN (SELECT database FROM set_up_database)
  AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM settings_table UNION SELECT * FROM chosen_table) AS few
                  WHERE few.database = scan.owner AND few."table" = scan."table");

-- A SELECT that finds its rows by the value that the loop hands it, compared by =, in a table whose size can hurt.
CREATE VIEW looped_lookup AS
SELECT looped.*, growing_table.how
FROM looped_statement AS looped
JOIN growing_table ON growing_table.database = looped.database AND growing_table."table" = looped."table"
WHERE looped.kind = 'select' AND NOT looped.is_list
  AND EXISTS (
        SELECT 1 FROM predicate
        WHERE predicate.statement = looped.statement AND predicate.clause IN ('where', 'join')
          AND predicate.operator IN ('=', '==', 'IS') AND predicate.column = looped.column
          AND predicate."table" = looped."table" AND predicate.value = 'parameter');

-- ------------------------------------------------------------------------------------------------- obstacles

-- A step with a term that says which few rows are meant, and that no search goes by for how it is written.
CREATE VIEW hidden_term AS
SELECT DISTINCT obstacle.step
FROM obstacle
LEFT JOIN predicate ON predicate.id = obstacle.predicate
WHERE obstacle.kind = 'like'
   OR (obstacle.kind IN ('wrapped', 'hex', 'expression_index', 'affinity', 'untyped', 'double_quoted')
       AND predicate.operator IN ('=', '==', 'IS', 'IN'));

-- What keeps a step from being a narrow search, and what would help: of several obstacles that of a planner that needs to be
-- told more, where nothing else was proved; else the one with a rewrite, else a partial index that is nearly served, else the one with an
-- index, all tried on the schema; else a reason that says itself what to do, of a pattern, or of a random order where nothing else is said of the step, before
-- an index that was tried in vain. One row for a step.
CREATE VIEW obstacle_help AS
SELECT statement, step, kind, help, obstacle
FROM (
    SELECT
        obstacle.id AS obstacle,
        obstacle.statement,
        obstacle.step,
        obstacle.kind,
        obstacle.help,
        row_number() OVER (
            PARTITION BY obstacle.step
            ORDER BY obstacle.kind <> 'passed_over',
                CASE relief.kind WHEN 'rewrite' THEN relief.condition IS NOT NULL WHEN 'index' THEN iif(relief.proved, 2, 4)
                    ELSE CASE obstacle.kind WHEN 'random_order' THEN iif(obstacle.step IN (SELECT step FROM hidden_term), 6, 3)
                             WHEN 'like' THEN 3 WHEN 'bound' THEN 1 WHEN 'unseen' THEN 1 WHEN 'first' THEN 1 ELSE 5 END END,
                obstacle.kind IN ('order', 'direction'), obstacle.id
        ) AS place
    FROM obstacle
    LEFT JOIN relief ON relief.obstacle = obstacle.id
    WHERE relief.kind IS NOT NULL
       OR obstacle.kind IN ('wrapped', 'hex', 'expression_index', 'like', 'or', 'partial', 'bound', 'unseen', 'first',
                            'affinity', 'untyped', 'double_quoted', 'extreme', 'random_order')
)
WHERE place = 1;

-- A scan that puts all rows of a table in a list for IN, which an index on the column proved to spare.
CREATE VIEW member_scan AS
SELECT scan.*
FROM scan
WHERE scan.id IN (SELECT obstacle.step FROM obstacle
                  JOIN relief ON relief.obstacle = obstacle.id AND relief.proved
                  WHERE obstacle.kind = 'member');

-- A term of a search that its index does not hold, with the value of a state that an UPDATE has rows leave: few of those that are
-- found may pass. One row for a search.
CREATE VIEW left_state AS
SELECT search.id AS step, min(filter.column) AS column
FROM search
JOIN filter ON filter.statement = search.statement AND filter."table" = search."table"
    AND filter.operator IN ('=', '==', 'IS') AND filter.value = 'literal'
JOIN passing_column ON passing_column.database = search.owner AND passing_column."table" = search."table"
    AND passing_column.column = filter.column AND passing_column.literal NOT IN ('', filter.literal)
WHERE NOT EXISTS (SELECT 1 FROM searched_column AS held
                  WHERE held.step = search.id AND held.column = filter.column)
GROUP BY search.id;

-- A step whose rows are sorted in a random order, with what to do in its place: some are wanted of all that pass, and nothing was
-- proved to have fewer of them read.
CREATE VIEW shuffled_step AS
SELECT sorted.id AS step, obstacle.help
FROM obstacle
JOIN step ON step.id = obstacle.step
JOIN step AS sorted ON sorted.plan = step.plan AND sorted.parent IS step.parent
WHERE obstacle.kind = 'random_order'
  AND sorted.id NOT IN (SELECT step FROM hidden_term)
  AND NOT EXISTS (SELECT 1 FROM obstacle AS other JOIN relief ON relief.obstacle = other.id AND relief.proved
                  WHERE other.statement = obstacle.statement);

-- A list for NOT IN that NOT EXISTS spares, whatever the rows are.
CREATE VIEW spared_list AS
SELECT obstacle.step
FROM obstacle
JOIN relief ON relief.obstacle = obstacle.id AND relief.proved AND relief.condition IS NULL
WHERE obstacle.kind = 'absent';

-- A step that an index is proved to cure on rows of which no value is common, by a column of many values: which of few
-- is rare, nobody says.
CREATE VIEW cured_step AS
SELECT DISTINCT obstacle.step
FROM obstacle
JOIN relief ON relief.obstacle = obstacle.id AND relief.kind = 'index' AND relief.proved
JOIN base_step ON base_step.id = obstacle.step
JOIN filter ON filter.statement = obstacle.statement AND filter."table" = base_step."table"
    AND (filter.operator IN ('<', '<=', '>', '>=', 'BETWEEN')
         OR (filter.operator IN ('=', '==', 'IS', 'IN') AND filter.value <> 'literal'))
    AND instr(lower(relief.part), lower(filter.column))
JOIN worst_growth ON worst_growth.statement = obstacle.statement AND worst_growth.data = 'uniform'
LEFT JOIN column_values ON column_values.database = base_step.owner AND column_values."table" = filter."table"
    AND column_values.column = filter.column
WHERE column_values."distinct" IS NOT 'few';

-- ---------------------------------------------------------------------------------------------- foreign keys

-- A statement that makes a foreign key look for its children: it deletes from the parent, replaces rows of it, or
-- changes the key that they refer to.
CREATE VIEW parent_change AS
SELECT
    foreign_key.id AS foreign_key,
    judged.id AS statement,
    judged.site,
    judged.quiet,
    judged.unenforced,
    CASE write.action WHEN 'update' THEN 'parent_update' ELSE 'parent_delete' END AS purpose,
    CASE write.action WHEN 'update' THEN 'given another key' WHEN 'insert' THEN 'replaced' ELSE 'deleted' END AS how
FROM foreign_key
JOIN variant ON variant.id = foreign_key.variant
JOIN write ON write."table" = foreign_key.parent AND write.schema = foreign_key.schema
JOIN judged_statement AS judged ON judged.id = write.statement AND judged.database = variant.database
WHERE write.action = 'delete'
   OR (write.action = 'insert' AND judged.kind = 'replace')
   OR (write.action = 'update' AND EXISTS (
        SELECT 1 FROM foreign_key_column
        WHERE foreign_key_column.foreign_key = foreign_key.id AND foreign_key_column.parent_column = write.column));

-- An INSERT into a parent that may update instead: its plan shows how children would be found of which the parent was missing,
-- and that runs only while one is.
CREATE VIEW parent_insert AS
SELECT foreign_key.id AS foreign_key, judged.id AS statement
FROM foreign_key
JOIN variant ON variant.id = foreign_key.variant
JOIN write ON write."table" = foreign_key.parent AND write.schema = foreign_key.schema AND write.action = 'insert'
JOIN judged_statement AS judged ON judged.id = write.statement AND judged.database = variant.database
WHERE judged.kind <> 'replace';

-- A statement that makes a foreign key look for the children of a parent, and why, where the program enforces it.
CREATE VIEW child_search AS
SELECT search.foreign_key, search.statement, search.purpose
FROM (SELECT foreign_key, statement, purpose FROM parent_change
      UNION ALL
      SELECT foreign_key, statement, 'parent_insert' FROM parent_insert) AS search
JOIN foreign_key ON foreign_key.id = search.foreign_key
JOIN variant ON variant.id = foreign_key.variant
JOIN database ON database.id = variant.database AND database.foreign_keys;

-- A step that may be a foreign key's though only the name that an INSERT writes to is left for it: behind it no more steps read
-- its table than foreign keys look for children, each once. Who replaces or updates rows may look several times.
CREATE VIEW late_step AS
SELECT base_step.id AS step
FROM base_step
JOIN judged_statement AS judged ON judged.id = base_step.statement
WHERE judged.kind = 'replace'
   OR EXISTS (SELECT 1 FROM write WHERE write.statement = judged.id AND write.action = 'update')
   OR (SELECT count(*) FROM step AS later
       WHERE later.plan = base_step.plan AND later.ordinal > base_step.ordinal AND later."table" = base_step."table")
    < (SELECT count(DISTINCT foreign_key.id)
       FROM child_search
       JOIN foreign_key ON foreign_key.id = child_search.foreign_key AND foreign_key."table" = base_step."table"
       WHERE child_search.statement = judged.id);

-- A step by which a foreign key looks for the children of a changed parent, in the plan of a real statement: it reads
-- a child that the statement does not name, or names once and has read before. What an INSERT names to write to
-- is not read. How often a view reads it, nothing tells: there the plan of the foreign key alone does.
CREATE VIEW foreign_key_step AS
SELECT base_step.id AS step, foreign_key.id AS foreign_key, child_search.purpose, base_step.operation
FROM base_step
JOIN foreign_key ON foreign_key.variant = base_step.variant AND foreign_key.schema = base_step.schema
    AND foreign_key."table" = base_step."table"
JOIN child_search ON child_search.foreign_key = foreign_key.id AND child_search.statement = base_step.statement
WHERE base_step.program IS 'foreign_key'
   OR (base_step.program IS NULL
       AND NOT EXISTS (SELECT 1 FROM read WHERE read.statement = base_step.statement AND read.through = 'view'
                         AND read.schema = base_step.schema AND read."table" = base_step."table")
       AND (
        (SELECT count(*) FROM step AS earlier WHERE earlier.plan = base_step.plan
           AND earlier.ordinal < base_step.ordinal AND earlier."table" = base_step."table")
        >= (SELECT count(*) FROM table_reference WHERE table_reference.statement = base_step.statement
              AND table_reference."table" = base_step."table")
           - EXISTS (SELECT 1 FROM table_reference
              JOIN write ON write.statement = table_reference.statement AND write."table" = table_reference."table"
              WHERE table_reference.statement = base_step.statement AND table_reference."table" = base_step."table"
                AND write.action = 'insert' AND write.through IS NULL
                AND base_step.id IN (SELECT step FROM late_step))
           + (foreign_key."table" = foreign_key.parent AND NOT EXISTS (
              SELECT 1 FROM table_reference WHERE table_reference.statement = base_step.statement
                AND table_reference."table" = base_step."table"))));

-- A statement of which a foreign key reads all rows of a child that grows: what that costs is not the statement's own.
CREATE VIEW child_scanning AS
SELECT DISTINCT base_step.statement
FROM foreign_key_step
JOIN base_step ON base_step.id = foreign_key_step.step
JOIN growing_table ON growing_table.database = base_step.owner AND growing_table."table" = base_step."table"
WHERE foreign_key_step.operation = 'SCAN';

-- A step of a statement's own, in no trigger and for no foreign key.
CREATE VIEW own_step AS
SELECT * FROM base_step
WHERE program IS NULL AND "table" IS NOT NULL
  AND id NOT IN (SELECT step FROM foreign_key_step);

-- A statement that reads all rows of a table that grows, in no trigger and for no foreign key.
CREATE VIEW scanning AS
SELECT DISTINCT own_step.statement
FROM own_step
JOIN growing_table ON growing_table.database = own_step.owner AND growing_table."table" = own_step."table"
WHERE own_step.operation = 'SCAN' OR own_step.automatic;

-- A step that a foreign key adds to a change of its parent, in whichever plan it shows.
CREATE VIEW child_lookup AS
SELECT step, foreign_key, purpose, operation FROM foreign_key_step
UNION
SELECT step.id, foreign_key.id, plan.purpose, step.operation
FROM plan
JOIN foreign_key ON foreign_key.id = plan.foreign_key
JOIN step ON step.plan = plan.id AND step."table" = foreign_key."table" AND step.schema = foreign_key.schema
WHERE step.program IS NOT 'trigger';

-- An index that begins with a column of a foreign key. It may still not serve it: see the affinities and collations.
CREATE VIEW foreign_key_index AS
SELECT foreign_key.id AS foreign_key, "index".id AS "index", "index".name
FROM foreign_key
JOIN "index" ON "index".variant = foreign_key.variant AND "index".schema = foreign_key.schema
    AND "index"."table" = foreign_key."table"
JOIN index_column ON index_column."index" = "index".id AND index_column.ordinal = 0
JOIN foreign_key_column ON foreign_key_column.foreign_key = foreign_key.id
    AND foreign_key_column.column = index_column.column;

-- The columns of a foreign key, as words for a message.
CREATE VIEW foreign_key_words AS
SELECT foreign_key, group_concat('`' || column || '`', ', ') AS columns
FROM (SELECT foreign_key, column FROM foreign_key_column ORDER BY foreign_key, ordinal)
GROUP BY foreign_key;

-- -------------------------------------------------------------------------------------------------- refusals

-- What SQLite refused of a statement, and would refuse the program too: not what a limit of the linter stopped, nor
-- text with holes, which may be whole at run time. `is_base`: on the schema that stands for the database.
CREATE VIEW refused AS
SELECT refusal.*, refusal.variant IS NULL OR base_variant.variant IS refusal.variant AS is_base
FROM refusal
JOIN statement ON statement.id = refusal.statement
LEFT JOIN base_variant ON base_variant.database = statement.database
WHERE refusal.kind NOT IN ('forbidden', 'limit')
  AND NOT (refusal.kind IN ('syntax', 'incomplete') AND statement.holes > 0);

-- A statement whose tables nothing in the tree creates or ever created, and none of which is a slip of the pen, since it is
-- like no name that is there, or several statements have it: it belongs to a schema that was not found. So does one on a table whose name is known, most of whose columns are not.
CREATE VIEW homeless_statement AS
SELECT judged.id AS statement, judged.site, judged.database, judged.text_key,
    iif(refused.kind = 'no_such_table', replace(lower(refused.name), 'main.', ''), NULL) AS missing
FROM judged_statement AS judged
JOIN database ON database.id = judged.database
JOIN refused ON refused.statement = judged.id AND refused.is_base
WHERE refused.elsewhere
   OR (refused.kind = 'no_such_table' AND database.found = 'missing')
   OR (refused.kind = 'no_such_table'
        AND (refused.near IS NULL
            OR refused.name IN (SELECT name FROM refused WHERE is_base AND kind = 'no_such_table'
                GROUP BY name HAVING count(DISTINCT statement) > 3))
        AND NOT EXISTS (SELECT 1 FROM migration_step
                        WHERE migration_step.kind IN ('create_table', 'create_virtual_table')
                          AND migration_step.object = refused.name)
        -- What is temporary goes with a connection, whatever database that is of.
        AND NOT EXISTS (SELECT 1 FROM table_reference
                        JOIN schema_table ON schema_table.name = table_reference."table" AND schema_table.schema <> 'temp'
                        WHERE table_reference.statement = judged.id))
   -- Many name it, beside others that are known; or it is the parent of a foreign key.
   OR (refused.kind = 'no_such_table' AND refused.near IS NULL AND database.found <> 'configured'
        AND (refused.name IN (SELECT name FROM refused WHERE is_base AND kind = 'no_such_table'
                GROUP BY name HAVING count(DISTINCT statement) > 3)
            OR (refused.name LIKE 'main.%' AND NOT EXISTS (
                SELECT 1 FROM table_reference
                WHERE table_reference.statement = judged.id AND 'main.' || table_reference."table" = refused.name)))
        AND NOT EXISTS (SELECT 1 FROM migration_step
                        WHERE migration_step.kind IN ('create_table', 'create_virtual_table', 'create_view')
                          AND refused.name IN (migration_step.object, 'main.' || migration_step.object)));

-- A step that failed for want of a table that no step of its database creates.
CREATE VIEW uncreated_failure AS
SELECT failed.experiment, failed.step, failed.database, failed.missing
FROM (
    SELECT experiment.id AS experiment, experiment.step, variant.database,
        lower(substr(experiment.message, iif(experiment.message LIKE 'no such table: main.%', 21, 16))) AS missing
    FROM experiment
    JOIN variant ON variant.id = experiment.variant
    -- Of steps whose order is a guess, none fails.
    WHERE experiment.kind = 'empty' AND experiment.message LIKE 'no such table: %'
      AND (experiment.outcome = 'stopped' OR (experiment.outcome = 'failed' AND experiment.failure = 'no_such_table'))
) AS failed
WHERE NOT EXISTS (
        SELECT 1 FROM migration
        JOIN migration_step ON migration_step.migration = migration.id
        WHERE migration.database = failed.database
          AND migration_step.kind IN ('create_table', 'create_virtual_table', 'create_view')
          AND migration_step.object = failed.missing);

-- A database whose steps take several tables that none of them creates, or a single one that they drop as well: what made it
-- before was not found. Another single one may be a slip of the pen.
CREATE VIEW begun_database AS
SELECT uncreated_failure.database
FROM uncreated_failure
JOIN database ON database.id = uncreated_failure.database AND database.found <> 'configured'
JOIN migration_step ON migration_step.id = uncreated_failure.step
GROUP BY uncreated_failure.database
HAVING count(DISTINCT uncreated_failure.missing) > 1
    OR (count(DISTINCT uncreated_failure.step) > 1 AND max(migration_step.kind = 'drop_table'));

-- A refusal for a table that another database has, where both are guessed: what is taken for two may be one.
CREATE VIEW other_home AS
SELECT refusal.id AS refusal, other.name AS owner
FROM refusal
JOIN statement ON statement.id = refusal.statement
JOIN database ON database.id = statement.database AND database.found = 'guessed'
JOIN schema_table ON schema_table.name = refusal.name
JOIN base_variant ON base_variant.variant = schema_table.variant
JOIN database AS other ON other.id = base_variant.database AND other.id <> database.id AND other.found = 'guessed'
WHERE refusal.kind = 'no_such_table';

-- The tables that a database lacks, as words for a message.
CREATE VIEW missing_words AS
SELECT
    database,
    group_concat(CASE WHEN number <= 3 THEN '`' || missing || '`' END, ', ')
        || iif(max(number) > 3, printf(' and %d more', max(number) - 3), '') AS tables
FROM (
    SELECT database, missing, row_number() OVER (PARTITION BY database ORDER BY missing) AS number
    FROM (SELECT DISTINCT database, missing FROM homeless_statement WHERE missing IS NOT NULL)
)
GROUP BY database;

-- ------------------------------------------------------------------------------------------------ migrations

-- A step that is not followed: PRAGMA writable_schema, and what writes the catalogue behind it.
CREATE VIEW unfollowed_failure AS
SELECT experiment.id AS experiment
FROM experiment
WHERE experiment.outcome = 'failed'
  AND (experiment.failure = 'forbidden'
       OR (experiment.message LIKE '%table sqlite_% may not be modified'
           AND EXISTS (SELECT 1 FROM experiment AS before
                       WHERE before.variant = experiment.variant AND before.ordinal < experiment.ordinal
                         AND before.failure = 'forbidden')));

-- The first step of a migration that fails. What fails for want of a table or a column, after an earlier migration has
-- failed on the same schema, is a consequence.
CREATE VIEW first_failure AS
SELECT migration, experiment
FROM (
    SELECT
        migration.id AS migration,
        (SELECT experiment.id
         FROM migration_step JOIN experiment ON experiment.step = migration_step.id
         JOIN variant ON variant.id = experiment.variant
         WHERE migration_step.migration = migration.id AND experiment.outcome = 'failed'
             AND experiment.kind = 'empty' AND experiment.id NOT IN (SELECT experiment FROM unfollowed_failure)
         ORDER BY variant.kind = 'declared' DESC, experiment.variant, experiment.ordinal, experiment.id
         LIMIT 1) AS experiment
    FROM migration
    WHERE EXISTS (SELECT 1 FROM experiment WHERE experiment.outcome = 'failed' AND experiment.kind = 'empty')
) AS failed
WHERE experiment IS NOT NULL
  AND NOT EXISTS (
        SELECT 1
        FROM experiment AS this
        JOIN experiment AS earlier ON earlier.variant = this.variant AND earlier.ordinal < this.ordinal
        JOIN migration_step AS earlier_step ON earlier_step.id = earlier.step
        WHERE this.id = failed.experiment AND earlier.outcome = 'failed'
          AND earlier.id NOT IN (SELECT experiment FROM unfollowed_failure)
          AND this.failure IN ('no_such_table', 'no_such_column', 'no_such_index')
          AND earlier_step.migration <> failed.migration);

-- The release that first had a migration as it is now.
CREATE VIEW first_release AS
SELECT migration, name
FROM (
    SELECT migration.id AS migration, release.name,
        row_number() OVER (PARTITION BY migration.id ORDER BY release.ordinal) AS number
    FROM migration
    JOIN released_migration AS released ON released.database = migration.database
        AND released.text_key = migration.text_key
    JOIN release ON release.id = released.release)
WHERE number = 1;

-- A migration of which no release is known and that enough others follow: the databases in the field are past it.
CREATE VIEW old_migration AS
SELECT migration.id AS migration, series.last - migration.unit AS later
FROM migration
JOIN (SELECT database, max(unit) AS last FROM migration WHERE origin = 'migration' AND direction = 'up'
      GROUP BY database) AS series ON series.database = migration.database
WHERE migration.origin = 'migration' AND series.last - migration.unit >= 5
  AND NOT EXISTS (SELECT 1 FROM released_migration WHERE released_migration.database = migration.database);

-- A step of a migration that was run otherwise than on empty tables, and showed something. `released_in`: the release
-- that first had it as it is, or words for an older one; NULL where none has.
CREATE VIEW row_experiment AS
SELECT
    experiment.id AS experiment,
    experiment.kind,
    experiment.rows,
    experiment.outcome,
    experiment.failure,
    experiment.message,
    migration_step.id AS step,
    migration_step.site,
    migration_step."table",
    migration.id AS migration,
    migration.database,
    migration.name,
    coalesce(first_release.name, iif(old_migration.migration IS NULL, NULL, 'an older database')) AS released_in,
    -- One level quieter where that can't be changed any more: in the place of an error, and of a warning.
    -- Where many others follow, nobody meets it any more.
    CASE WHEN first_release.migration IS NOT NULL THEN 'warning' WHEN old_migration.later >= 20 THEN 'note'
         WHEN old_migration.migration IS NOT NULL THEN 'warning' END AS quieter_error,
    iif(coalesce(first_release.migration, old_migration.migration) IS NULL, NULL, 'note') AS quieter_warning
FROM experiment
JOIN migration_step ON migration_step.id = experiment.step
JOIN migration ON migration.id = migration_step.migration
LEFT JOIN first_release ON first_release.migration = migration.id
LEFT JOIN old_migration ON old_migration.migration = migration.id
WHERE migration.direction = 'up' AND (experiment.kind <> 'empty' OR experiment.failure = 'limit');

-- A step whose function gives rows of its table other values before, or deletes some: values that the program computes.
CREATE VIEW mended_step AS
SELECT DISTINCT migration_step.id AS step
FROM migration_step
JOIN site AS own ON own.id = migration_step.site
JOIN site AS around ON around.source = own.source AND own.start BETWEEN around.start AND around.end
JOIN function ON function.site = around.id
JOIN statement ON statement.function = function.id AND statement.kind IN ('update', 'delete') AND statement.role <> 'test'
JOIN site AS before ON before.id = statement.site AND before.start < own.start
JOIN table_reference ON table_reference.statement = statement.id AND table_reference."table" = migration_step."table"
WHERE EXISTS (SELECT 1 FROM parameter WHERE parameter.statement = statement.id);

-- A loss of a table that a later migration drops for good, and whose rows none takes to another table before.
CREATE VIEW dropped_loss AS
SELECT DISTINCT loss.id AS loss
FROM loss
JOIN experiment ON experiment.id = loss.experiment
JOIN migration_step AS losing ON losing.id = experiment.step
JOIN migration AS own ON own.id = losing.migration
JOIN migration AS later ON later.database = own.database AND later.direction = 'up' AND later.unit > own.unit
JOIN migration_step AS dropping ON dropping.migration = later.id AND dropping.kind = 'drop_table'
     AND dropping.object = loss."table"
WHERE NOT EXISTS (
        SELECT 1 FROM variant JOIN schema_table ON schema_table.variant = variant.id
        WHERE variant.database = own.database AND variant.kind = 'declared' AND schema_table.name = loss."table")
  AND NOT EXISTS (
        SELECT 1 FROM migration AS other JOIN migration_step ON migration_step.migration = other.id
        LEFT JOIN migration_read ON migration_read.step = migration_step.id
        WHERE other.database = own.database AND other.direction = 'up' AND other.unit > own.unit
          AND (migration_read."table" = loss."table"
               OR (migration_step.kind = 'alter_table' AND migration_step.object = loss."table"
                   AND migration_step.last_name <> loss."table")));

-- A table whose rowids the program knows: a statement reads them, or code asks for that of a row that it inserts.
CREATE VIEW rowid_user AS
SELECT statement.database, read."table"
FROM statement JOIN read ON read.statement = statement.id
WHERE read.column = 'rowid' AND statement.role NOT IN ('test', 'migration')
UNION
SELECT statement.database, write."table"
FROM statement JOIN write ON write.statement = statement.id
WHERE write.action = 'insert' AND statement.asks_rowid AND statement.role NOT IN ('test', 'migration');

-- A step that creates or drops an index, as it went on empty tables.
CREATE VIEW index_step AS
SELECT
    experiment.id AS experiment,
    experiment.variant,
    experiment.ordinal,
    experiment.outcome,
    migration_step.kind,
    migration_step.object,
    migration_step."table",
    migration_step.last_name,
    migration_step.definition,
    migration_step.is_unique,
    migration_step.if_not_exists,
    migration_step.site,
    migration.id AS migration,
    migration.database,
    migration.origin
FROM experiment
JOIN migration_step ON migration_step.id = experiment.step
JOIN migration ON migration.id = migration_step.migration
WHERE experiment.kind = 'empty' AND migration_step.kind IN ('create_index', 'drop_index');

-- Two migrations of which the second follows upon the first, or both are one: by their place in the order where that is
-- certain, else by standing in the same function. `repeated`: each opening of the database runs them.
CREATE VIEW migration_pair AS
SELECT first.id AS first, second.id AS second, first.origin = 'open' AS repeated
FROM migration AS first
JOIN site AS first_site ON first_site.id = first.site
JOIN migration AS second ON second.database = first.database AND second.ordinal >= first.ordinal
JOIN site AS second_site ON second_site.id = second.site
WHERE first.id = second.id
   OR (first.is_ordered AND second.is_ordered AND first.origin = second.origin AND second.ordinal = first.ordinal + 1)
   OR (first.name = second.name AND first.name <> '' AND first_site.source = second_site.source);

-- A step that fills, empties or changes a table, as it went on empty tables.
CREATE VIEW table_step AS
SELECT experiment.variant, experiment.ordinal, experiment.outcome, migration_step.id AS step, migration_step.kind,
    migration_step."table", migration_step.last_name, migration_step.site, migration_step.migration
FROM experiment
JOIN migration_step ON migration_step.id = experiment.step
WHERE experiment.kind = 'empty'
  AND migration_step.kind IN ('insert', 'replace', 'update', 'delete', 'alter_table', 'create_table', 'drop_table');

-- A file of a series, at its first step. `by_name`: its place in the order of names.
CREATE VIEW series_file AS
SELECT migration.series, migration.database, migration.number, source.id AS source, source.path, source.language,
    min(migration.ordinal) AS ordinal, min(migration.text_ordinal) AS by_name,
    coalesce((SELECT migration_step.site FROM migration_step WHERE migration_step.migration = migration.id
              ORDER BY migration_step.ordinal LIMIT 1), migration.site) AS site
FROM migration
JOIN site ON site.id = migration.site
JOIN source ON source.id = site.source
WHERE migration.series IS NOT NULL
GROUP BY migration.series, source.id;

-- ------------------------------------------------------------------------------------- databases in the field

-- A difference between the declared schema and those in the field, once for all releases that show it. `variant` is the
-- latest of them, `who` are these databases, as words that begin a sentence, and `fresh` says that they are new ones.
CREATE VIEW drift AS
SELECT
    together.*,
    CASE
        WHEN fresh THEN 'a new database'
        WHEN releases = 1 THEN printf('a database made by %s', first.name)
        ELSE printf('a database made by %s to %s', first.name, last.name) END AS who
FROM (
    SELECT
        declared.database,
        difference.object_kind,
        difference."table",
        difference.object,
        difference.property,
        difference.here,
        difference.there,
        difference.site,
        other.kind = 'fresh' AS fresh,
        max(other.id) AS variant,
        min(release.ordinal) AS first_release,
        max(release.ordinal) AS last_release,
        count(release.id) AS releases
    FROM difference
    JOIN variant AS declared ON declared.id = difference.variant
    JOIN variant AS other ON other.id = difference.other
    LEFT JOIN variant_releases ON variant_releases.variant = other.id
    LEFT JOIN release ON release.id = variant_releases.release
    GROUP BY declared.database, difference.object_kind, difference."table", difference.object, difference.property,
        difference.here, difference.there, other.kind
) AS together
LEFT JOIN release AS first ON first.ordinal = together.first_release
LEFT JOIN release AS last ON last.ordinal = together.last_release;

-- A statement whose cost grows on a schema in the field, and not on the declared one. Where nothing is measured, the plan
-- tells: there it reads all rows of a growing table, of which it finds some as declared.
CREATE VIEW worse_there AS
SELECT DISTINCT growth.statement, growth.variant
FROM growth
JOIN variant ON variant.id = growth.variant AND variant.kind <> 'declared'
WHERE NOT growth.explained AND growth.binding <> 'wide' AND growth.class <> 'constant'
  AND growth.statement NOT IN (SELECT statement FROM costly)
UNION
SELECT plan.statement, plan.variant
FROM plan
JOIN variant ON variant.id = plan.variant AND variant.kind <> 'declared'
JOIN step ON step.plan = plan.id AND step.operation = 'SCAN' AND step.program IS NULL
JOIN growing_table ON growing_table.database = variant.database AND growing_table."table" = step."table"
JOIN search ON search.statement = plan.statement AND search."table" = step."table"
WHERE NOT EXISTS (SELECT 1 FROM growth)
  AND NOT EXISTS (SELECT 1 FROM scan WHERE scan.statement = plan.statement AND scan."table" = step."table");

-- What another engine does otherwise with a growing table: `worse` where it reads all of it and the first engine reads all of
-- none, or where it alone makes an index for one run. A sort is of what is read of the first growing table.
CREATE VIEW growing_elsewhere AS
SELECT
    difference.plan,
    grown.table_size,
    grown."table",
    grown.quiet,
    grown.how,
    difference.steps_gone AS gone,
    difference.steps_come AS come,
    difference.scans AND NOT EXISTS (
        SELECT 1 FROM scan JOIN growing_table AS other ON other.database = scan.owner AND other."table" = scan."table"
        WHERE scan.statement = plan.statement)
    OR difference.builds AND NOT EXISTS (
        SELECT 1 FROM base_step AS base WHERE base.statement = plan.statement AND base.automatic) AS worse
FROM plan_difference AS difference
JOIN plan ON plan.id = difference.plan
JOIN judged_statement AS judged ON judged.id = plan.statement
JOIN growing_table AS grown ON grown.database = judged.database AND grown."table" = coalesce(difference."table", (
    SELECT base_step."table"
    FROM base_step
    JOIN growing_table AS first ON first.database = base_step.owner AND first."table" = base_step."table"
    WHERE base_step.statement = plan.statement
    ORDER BY base_step.ordinal LIMIT 1));

-- A statement that SQLite refuses on a schema in the field and takes as declared. `name`: what is not there.
CREATE VIEW failing_there AS
SELECT refusal.statement, refusal.variant, lower(refusal.name) AS name, refusal.message, judged.database, judged.site,
    variant.kind = 'fresh' AS fresh
FROM refusal
JOIN variant ON variant.id = refusal.variant AND variant.kind <> 'declared'
JOIN judged_statement AS judged ON judged.id = refusal.statement AND NOT judged.quiet;

-- An index that is declared and missing in the field, and a statement that goes by it as declared and is worse without.
-- `number` counts the statements of one index, those of production first.
CREATE VIEW missing_index AS
SELECT *, row_number() OVER (
    PARTITION BY database, "table", object, fresh ORDER BY quiet, statement) AS number
FROM (
    SELECT DISTINCT drift.*, worse.statement, judged.site AS statement_site, judged.quiet,
        (SELECT migration.unless
         FROM migration_step JOIN migration ON migration.id = migration_step.migration
         WHERE migration.database = drift.database AND migration_step.kind = 'create_index'
           AND migration_step.object = drift.object AND migration_step."table" = drift."table") AS unless
    FROM drift
    JOIN base_step ON base_step.owner = drift.database AND base_step."table" = drift."table"
        AND base_step."index" = drift.object
    JOIN judged_statement AS judged ON judged.id = base_step.statement AND judged.role <> 'migration'
    JOIN worse_there AS worse ON worse.statement = base_step.statement
    JOIN difference ON difference.other = worse.variant AND difference.object_kind = 'index'
        AND difference."table" = drift."table" AND difference.object = drift.object AND difference.here = drift.here
    JOIN variant ON variant.id = worse.variant AND (variant.kind = 'fresh') = drift.fresh
    WHERE drift.object_kind = 'index' AND drift.here IS NOT NULL
);

-- ---------------------------------------------------------------------------------------------------- trials

-- What a trial did for a statement whose cost grew, and then did not. `gone`, `come`: the rows of the plan that differ,
-- as words for a message. `words`: in which distribution of values. `number`: of the `statements` of the trial, those
-- that run often first; `all_quiet`: none does.
CREATE VIEW bettered_statement AS
SELECT
    *,
    row_number() OVER (PARTITION BY trial ORDER BY quiet, statement) AS number,
    count(*) OVER (PARTITION BY trial) AS statements,
    min(quiet) OVER (PARTITION BY trial) AS all_quiet,
    -- Both indexes are searched by ranges alone, and which is the narrower the caller decides.
    gone GLOB '*[<>]?*' AND come GLOB '*[<>]?*' AND instr(gone, '=?') = 0 AND instr(come, '=?') = 0 AS is_of_ranges
FROM (
    SELECT
        trial.id AS trial,
        trial_effect.id AS effect,
        trial.action,
        trial."table",
        trial."index",
        trial.step,
        trial.sql,
        trial.is_hinted,
        judged.id AS statement,
        judged.site AS statement_site,
        judged.database,
        judged.quiet OR coalesce((SELECT growing_table.quiet FROM growing_table
                                  WHERE growing_table.database = judged.database
                                    AND growing_table."table" = trial."table"), 0) AS quiet,
        costly.words,
        replace(trial_effect.steps_gone, char(10), '`, `') AS gone,
        replace(trial_effect.steps_come, char(10), '`, `') AS come
    FROM trial
    JOIN trial_effect ON trial_effect.trial = trial.id AND trial_effect.verdict = 'better'
    JOIN judged_statement AS judged ON judged.id = trial_effect.statement
    JOIN costly ON costly.statement = judged.id
);

-- A statement that is searched by an index whose first column has few values, of which the caller gives one, or asks for one
-- that rows leave.
CREATE VIEW rarity_search AS
SELECT statement, "index" FROM passing_search
UNION
SELECT search.statement, search."index"
FROM flag_search AS search
WHERE search.value = 'parameter';

-- A statement that is slower for an index: without it, another one serves it. `also`: what would take its place, and is
-- left out too, as words for a message; `needed`: the statements that are worse off then. `cures`: the indexes with which
-- those that it harms would go by it no more, and `cured` what to say of them, where there are any.
CREATE VIEW harmed_statement AS
SELECT
    bettered.*,
    "index".name,
    "index".site,
    "index".is_unique,
    (SELECT group_concat('`' || other.name || '`', ' and ')
     FROM trial_also JOIN "index" AS other ON other.id = trial_also."index"
     WHERE trial_also.trial = bettered.trial) AS also,
    (SELECT count(*) FROM trial_effect
     WHERE trial_effect.trial = bettered.trial AND trial_effect.verdict = 'worse') AS needed,
    (SELECT group_concat('`' || sql || '`', ' and ')
     FROM (SELECT DISTINCT cure.sql FROM cure WHERE cure.trial = bettered.trial)) AS cures,
    (SELECT iif(count(DISTINCT cure.sql) = 1,
            ' in place of an index on the first of its columns alone: the plan becomes `' || min(cure.step) || '`.',
            ' in place of indexes on the first of their columns alone.')
     FROM cure WHERE cure.trial = bettered.trial) AS cured
FROM bettered_statement AS bettered
JOIN "index" ON "index".id = bettered."index"
WHERE bettered.action = 'drop_index';

-- A statement that needs an index which the schema drops, at `site`, and does not make again. `origin`: of the step; `is_chosen`: another
-- branch of the same code makes it.
CREATE VIEW needed_index AS
SELECT bettered.*, migration_step.object AS name, migration_step.site, migration.id AS migration, migration.origin,
    migration.is_ordered,
    EXISTS (SELECT 1 FROM migration AS making
            JOIN migration_step AS made ON made.migration = making.id AND made.kind = 'create_index'
            WHERE making.database = migration.database AND making.choice = migration.choice AND making.arm <> migration.arm
              AND made.object = migration_step.object) AS is_chosen
FROM bettered_statement AS bettered
JOIN migration_step ON migration_step.id = bettered.step
JOIN migration ON migration.id = migration_step.migration
WHERE bettered.action = 'add_index';

-- ---------------------------------------------------------------------------------------------------- losses

-- An object that went with a table which was made anew, and whether it is needed: a statement of the running program
-- would read less of a table that grows with the index, would set off the trigger, or reads the view. `holders`: the indexes
-- of today that begin with the column of one that kept no rows out. `is_on_new`: a new database has it.
CREATE VIEW lost_object AS
SELECT
    loss.*,
    (SELECT group_concat('`' || "index".name || '`', ', ')
     FROM experiment
     JOIN "index" ON "index".variant = experiment.variant AND "index"."table" = loss."table"
     JOIN index_column ON index_column."index" = "index".id AND index_column.ordinal = 0
     WHERE experiment.id = loss.experiment AND loss.kind = 'index' AND "index".origin = 'create'
       -- One that is lost as well is none in older databases.
       AND NOT EXISTS (SELECT 1 FROM loss AS other
                       WHERE other.experiment = loss.experiment AND other.kind = 'index' AND other.object = "index".name)
       AND substr(loss.text, 1, length(index_column.column) + 1) = '(' || index_column.column COLLATE NOCASE
       AND instr(',) ', substr(loss.text, length(index_column.column) + 2, 1)) > 0) AS holders,
    EXISTS (
        SELECT 1 FROM missed
        JOIN live_statement ON live_statement.id = missed.statement
        JOIN growing_table ON growing_table.database = live_statement.database
            AND (loss.kind <> 'index' OR growing_table."table" = loss."table")
        WHERE missed.loss = loss.id) AS is_needed,
    EXISTS (
        SELECT 1 FROM experiment
        LEFT JOIN "index" ON "index".variant = experiment.variant AND "index".name = loss.object
        LEFT JOIN trigger ON trigger.variant = experiment.variant AND trigger.name = loss.object
        WHERE experiment.id = loss.experiment
          AND iif(loss.kind = 'index', "index"."table", trigger."table") = loss."table")
    OR EXISTS (
        SELECT 1 FROM experiment
        JOIN difference ON difference.variant = experiment.variant AND difference.property = 'exists'
            AND difference.object_kind = loss.kind AND difference.object = loss.object AND difference.here IS NULL
        JOIN variant AS fresh ON fresh.id = difference.other AND fresh.kind = 'fresh'
        WHERE experiment.id = loss.experiment) AS is_on_new
FROM loss
WHERE loss.kind IN ('index', 'trigger', 'view');

-- ---------------------------------------------------------------------------------------------- second stage

-- A finding that nothing accepts.
CREATE VIEW unsuppressed AS
SELECT * FROM finding WHERE suppression IS NULL;

-- A statement that compares columns of several tables, where nothing was proved to help: which of the comparisons finds few
-- rows, only real data tell.
CREATE VIEW undecided_statement AS
SELECT filter.statement
FROM filter
WHERE filter."table" IS NOT NULL
  AND filter.operator NOT IN ('IS NULL', 'IS NOT NULL')
  AND filter.statement NOT IN (SELECT obstacle.statement FROM obstacle
                               JOIN relief ON relief.obstacle = obstacle.id AND relief.proved)
GROUP BY filter.statement
HAVING count(DISTINCT filter."table") > 1;

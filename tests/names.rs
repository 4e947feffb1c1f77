//! What is read from statements: tables, predicates, and the places of both.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

use planlint::extract::names::{Clause, Predicate, QueryKind, TableName, Value, names};
use std::{fmt::Write as _, thread, time::Instant};

/// The tables of a statement, a line each: the text at its place, its name where that differs, alias and
/// join.
fn tables(sql: &str) -> Vec<String> {
    let read = names(sql).unwrap_or_default();
    let line = |table: TableName| {
        let mut line = sql.get(table.start..table.end).unwrap_or("?").to_owned();
        if !line.ends_with(&table.name) {
            let _ = write!(line, " = {}", table.name);
        }
        for (mark, text) in [(" as ", table.alias), (" after ", table.join)] {
            line.extend(text.iter().flat_map(|text| [mark, text]));
        }
        line + if table.is_common { " common" } else { "" }
    };
    read.tables.into_iter().map(line).collect()
}

/// The predicates of a statement, a line each: place, column, operator, value, clause.
fn predicates(sql: &str) -> Vec<String> {
    let line = |predicate: Predicate| {
        let place = sql.get(predicate.start..predicate.end).unwrap_or("?");
        let qualifier = predicate.qualifier.map_or_else(String::new, |qualifier| qualifier + ".");
        let wrapper = predicate.wrapper.map_or_else(String::new, |wrapper| format!(" in {wrapper}"));
        let value = match predicate.value {
            Value::Literal(text) => format!(" {text}"),
            Value::Nothing => String::new(),
            Value::Column { qualifier: Some(qualifier), name } => format!(" column {qualifier}.{name}"),
            Value::Column { qualifier: None, name } => format!(" column {name}"),
            other => format!(" {other:?}").to_lowercase(),
        };
        let clause = match predicate.clause {
            Clause::Where => String::new(),
            other => format!(" [{other:?}]"),
        };
        let asked = format!("{}{value}", predicate.operator);
        format!("{place} | {qualifier}{}{wrapper} {asked}", predicate.column).trim_end().to_owned() + &clause
    };
    names(sql).unwrap_or_default().predicates.into_iter().map(line).collect()
}

/// The predicates of a WHERE.
fn conditions(condition: &str) -> Vec<String> {
    predicates(&format!("SELECT * FROM t WHERE {condition}"))
}

#[test]
fn tables_are_named_with_their_places() {
    assert_eq!(tables("SELECT * FROM a"), ["a"]);
    assert_eq!(tables("SELECT * FROM main.a AS x, b y"), ["main.a as x", "b as y after ,"]);
    let joined = "SELECT * FROM a LEFT JOIN b ON 1 CROSS JOIN c ON 1 NATURAL LEFT OUTER JOIN d";
    assert_eq!(
        tables(joined),
        ["a", "b after LEFT JOIN", "c after CROSS JOIN", "d after NATURAL LEFT OUTER JOIN"]
    );
    assert_eq!(tables("SELECT * FROM \"a \"\"b\", [c d]"), ["\"a \"\"b\" = a \"b", "[c d] = c d after ,"]);
    assert_eq!(tables("SELECT (SELECT 1 FROM b) FROM a WHERE EXISTS (SELECT 1 FROM c)"), ["b", "a", "c"]);
    assert_eq!(
        tables("SELECT * FROM (SELECT * FROM a) AS s JOIN (b JOIN c USING (x))"),
        ["a", "b", "c after JOIN"]
    );
    assert_eq!(tables("SELECT * FROM a, json_each(a.x) AS j"), ["a", "json_each as j after ,"]);
}

#[test]
fn tables_that_are_written_are_named() {
    assert_eq!(tables("INSERT INTO a SELECT * FROM b"), ["a", "b"]);
    assert_eq!(tables("INSERT OR IGNORE INTO main.a(x) VALUES (?)"), ["main.a"]);
    assert_eq!(tables("REPLACE INTO a(x) VALUES (?)"), ["a"]);
    assert_eq!(tables("UPDATE a SET x = y FROM b WHERE a.i = b.i"), ["a", "b"]);
    assert_eq!(tables("UPDATE OR REPLACE a SET x = 1"), ["a"]);
    assert_eq!(tables("DELETE FROM a WHERE x IN (SELECT y FROM b)"), ["a", "b"]);
    assert_eq!(tables("CREATE INDEX i ON a(x)"), ["a"]);
}

#[test]
fn a_common_table_expression_is_no_table() {
    let sql = "WITH c AS MATERIALIZED (SELECT * FROM a), d AS NOT MATERIALIZED (SELECT 1) SELECT * FROM C, d, main.c";
    assert_eq!(tables(sql), ["a", "C common", "d after , common", "main.c after ,"]);
}

#[test]
fn a_name_is_not_taken_for_a_keyword() {
    assert_eq!(tables("SELECT interval FROM interval WHERE interval > ?"), ["interval"]);
    assert_eq!(conditions("interval > ?"), ["interval > ? | interval > parameter"]);
    let start = "SELECT start.a FROM sales output JOIN start ON output.top = start.b WHERE start.sort > ? AND format(a) = 1";
    assert_eq!(tables(start), ["sales as output", "start after JOIN"]);
    assert_eq!(
        predicates(start),
        [
            "output.top = start.b | output.top = column start.b [Join]",
            "output.top = start.b | start.b = column output.top [Join]",
            "start.sort > ? | start.sort > parameter",
            "format(a) = 1 | a in format(…) = 1"
        ]
    );
    assert_eq!(conditions("t.Interval = 1"), ["t.Interval = 1 | t.Interval = 1"]);
}

#[test]
fn comparisons_name_column_operator_and_value() {
    assert_eq!(conditions("a = ? AND t.b <> :x"), ["a = ? | a = parameter", "t.b <> :x | t.b <> parameter"]);
    assert_eq!(conditions("? < a"), ["? < a | a > parameter"]);
    assert_eq!(conditions("a >= 'x' OR a < -1"), ["a >= 'x' | a >= 'x'", "a < -1 | a < -1"]);
    assert_eq!(conditions("a == x'00'"), ["a == x'00' | a = x'00'"]);
    assert_eq!(conditions("a = b"), ["a = b | a = column b", "a = b | b = column a"]);
    assert_eq!(conditions("a < strftime('%s')"), ["a < strftime('%s') | a < expression"]);
    assert_eq!(conditions("a = (SELECT max(b) FROM u)"), ["a = (SELECT max(b) FROM u) | a = subquery"]);
    assert_eq!(conditions("(a, b) > (?, 1)"), ["(a, b) > (?, 1) | a > parameter", "(a, b) > (?, 1) | b > 1"]);
    assert_eq!(conditions("NOT a = 1"), ["a = 1 | a NOT = 1"]);
    assert_eq!(conditions("1"), Vec::<String>::new());
}

#[test]
fn tests_of_one_side_are_whole() {
    assert_eq!(
        conditions("a IS NULL AND b NOT NULL"),
        ["a IS NULL | a IS NULL", "b NOT NULL | b IS NOT NULL"]
    );
    assert_eq!(conditions("a IS NOT NULL"), ["a IS NOT NULL | a IS NOT NULL"]);
    assert_eq!(conditions("a IN (?, ?)"), ["a IN (?, ?) | a IN parameter"]);
    assert_eq!(conditions("a NOT IN (1, 2) AND 1"), ["a NOT IN (1, 2) | a NOT IN 1, 2"]);
    assert_eq!(
        conditions("a IN (SELECT b FROM u WHERE c)"),
        ["a IN (SELECT b FROM u WHERE c) | a IN subquery", "c | c",]
    );
    assert_eq!(conditions("a IN rarray(?)"), ["a IN rarray(?) | a IN parameter"]);
    assert_eq!(conditions("a BETWEEN ? AND ? AND b"), ["a BETWEEN ? AND ? | a BETWEEN parameter", "b | b"]);
    assert_eq!(conditions("a LIKE 'x%' ESCAPE '!'"), ["a LIKE 'x%' ESCAPE '!' | a LIKE 'x%'"]);
    assert_eq!(conditions("a NOT LIKE ?"), ["a NOT LIKE ? | a NOT LIKE parameter"]);
    assert_eq!(
        conditions("a GLOB ? OR a NOT GLOB 'x'"),
        ["a GLOB ? | a GLOB parameter", "a NOT GLOB 'x' | a NOT GLOB 'x'"]
    );
    assert_eq!(
        conditions("a LIKE ('%' || (? || '%')) OR a GLOB 'x' || lower(b) OR a LIKE ? || '%' OR a = 'x' || ?"),
        [
            "a LIKE ('%' || (? || '%')) | a LIKE joined(\"'%…%'\")",
            "a GLOB 'x' || lower(b) | a GLOB joined(\"'x…'\")",
            "a LIKE ? || '%' | a LIKE joined(\"'…%'\")",
            "a = 'x' || ? | a = expression"
        ]
    );
    assert_eq!(conditions("a MATCH ?"), ["a MATCH ? | a MATCH parameter"]);
    assert_eq!(conditions("a IS ? AND b IS NOT 1"), ["a IS ? | a IS parameter", "b IS NOT 1 | b IS NOT 1"]);
    assert_eq!(conditions("a AND NOT b"), ["a | a", "b | b NOT"]);
}

#[test]
fn what_is_around_a_column_is_said_and_within_the_place() {
    assert_eq!(conditions("lower(a) = ?"), ["lower(a) = ? | a in lower(…) = parameter"]);
    assert_eq!(conditions("upper(trim(a)) = ?"), ["upper(trim(a)) = ? | a in upper(…) = parameter"]);
    assert_eq!(conditions("(+a = 1)"), ["+a = 1 | a in + = 1"]);
    assert_eq!(conditions("CAST(a AS TEXT) = ?"), ["CAST(a AS TEXT) = ? | a in CAST = parameter"]);
    assert_eq!(conditions("substr(a, 1, 2) = 'x'"), ["substr(a, 1, 2) = 'x' | a in substr(…) = 'x'"]);
    assert_eq!(
        conditions("a || b = ?"),
        ["a || b = ? | a in … || … = parameter", "a || b = ? | b in … || … = parameter"]
    );
    assert_eq!(conditions("(a + 1) > ?"), ["(a + 1) > ? | a in … + … > parameter"]);
    assert_eq!(conditions("a = ? COLLATE nocase"), ["a = ? COLLATE nocase | a = expression"]);
    assert_eq!(
        conditions("a COLLATE nocase = ?"),
        ["a COLLATE nocase = ? | a in COLLATE nocase = parameter"]
    );
    assert_eq!(conditions("CASE WHEN a THEN 1 END = 1"), ["CASE WHEN a THEN 1 END = 1 | a in CASE = 1"]);
    assert_eq!(conditions("((a)) = ((?))"), ["((a)) = ((?)) | a = parameter"]);
    assert_eq!(conditions("a ->> '$.x' = 1"), ["a ->> '$.x' = 1 | a in … ->> … = 1"]);
}

#[test]
fn every_clause_is_told() {
    let sql = "SELECT a, count(*) FROM t JOIN u ON u.x = t.x JOIN v USING (y) WHERE b = 1 GROUP BY a, lower(c) \
               HAVING count(*) > 1 AND a > 2 ORDER BY t.d DESC, e LIMIT 3 OFFSET ?";
    assert_eq!(
        predicates(sql),
        [
            "u.x = t.x | u.x = column t.x [Join]",
            "u.x = t.x | t.x = column u.x [Join]",
            "y | y = column y [Join]",
            "b = 1 | b = 1",
            "a | a [GroupBy]",
            "lower(c) | c in lower(…) [GroupBy]",
            "a > 2 | a > 2 [Having]",
            "t.d | t.d DESC [OrderBy]",
            "e | e ASC [OrderBy]",
        ]
    );
    let read = names(sql).unwrap();
    let terms: Vec<_> = read.order_by.iter().map(|&(start, end)| sql.get(start..end).unwrap()).collect();
    assert_eq!((terms.as_slice(), read.limit, read.offset), (["t.d", "e"].as_slice(), true, true));
}

#[test]
fn changes_name_what_they_set_and_where() {
    assert_eq!(
        predicates("UPDATE t SET a = ?, b = b + 1, (c, d) = (1, e) WHERE f = 2"),
        [
            "a = ? | a = parameter [Set]",
            "b = b + 1 | b = expression [Set]",
            "(c, d) = (1, e) | c = 1 [Set]",
            "(c, d) = (1, e) | d = column e [Set]",
            "f = 2 | f = 2",
        ]
    );
    assert_eq!(
        predicates(
            "INSERT INTO t(a) VALUES (?) ON CONFLICT(lower(a)) WHERE b DO UPDATE SET c = excluded.c WHERE d < 1"
        ),
        ["c = excluded.c | c = column excluded.c [Set]", "d < 1 | d < 1",]
    );
    assert_eq!(predicates("DELETE FROM t INDEXED BY t_a WHERE a < ? RETURNING b"), ["a < ? | a < parameter"]);
}

/// The queries of a statement: for each its kind, its name, and by their names the tables and columns in it.
fn queries(sql: &str) -> Vec<String> {
    let read = names(sql).unwrap();
    let line = |number: u32| {
        let query = read.queries.get(number as usize).unwrap();
        let kind = match query.kind {
            QueryKind::Outermost => String::new(),
            kind => format!(
                "{kind:?} of {} ",
                query.around.map_or_else(|| "none".to_owned(), |it| it.to_string())
            ),
        };
        let tables = read.tables.iter().filter(|it| it.query == number).map(|it| it.name.as_str());
        let columns = read.predicates.iter().filter(|it| it.query == number).map(|it| it.column.as_str());
        let words: Vec<&str> = query.name.iter().map(String::as_str).chain(["|"]).chain(tables).collect();
        format!("{kind}{} | {}", words.join(" "), columns.collect::<Vec<_>>().join(" "))
    };
    (0..read.queries.len() as u32).map(line).collect()
}

#[test]
fn every_query_has_its_number() {
    assert_eq!(
        queries("DELETE FROM a WHERE x = (SELECT x FROM a ORDER BY y LIMIT 1)"),
        ["| a | x", "Subquery of 0 | a | y"]
    );
    assert_eq!(
        queries(
            "SELECT * FROM a WHERE x UNION SELECT * FROM b WHERE y UNION ALL SELECT * FROM c WHERE z ORDER BY o"
        ),
        ["| a | x o", "| b | y", "| c | z"]
    );
    assert_eq!(
        queries(
            "WITH c AS (SELECT 1 FROM a WHERE x UNION SELECT 2 FROM c WHERE y) SELECT 1 FROM c JOIN \
                 (SELECT 3 FROM b WHERE z) AS d ON d.i = c.i WHERE EXISTS (VALUES (1))"
        ),
        [
            "| c | i i",
            "Common of 0 c | a | x",
            "Common of 0 c | c | y",
            "Derived of 0 d | b | z",
            "Subquery of 0 | | "
        ]
    );
    assert_eq!(
        queries("INSERT INTO a SELECT * FROM b WHERE x ON CONFLICT (i) DO UPDATE SET v = excluded.v WHERE y"),
        ["| a b | x", "Upsert of 0 | | v y"]
    );
    assert_eq!(
        queries("WITH c AS (SELECT 1 FROM b) UPDATE a SET x = (SELECT y FROM c WHERE z) WHERE w"),
        ["| a | x w", "Common of 0 c | b | ", "Subquery of 0 | c | z"]
    );
}

#[test]
fn the_table_of_an_insert_is_one_and_not_read() {
    let read = names("INSERT INTO a SELECT * FROM a AS x").unwrap();
    let tables: Vec<_> = read.tables.iter().map(|it| (it.alias.as_deref(), it.is_inserted)).collect();
    assert_eq!(tables, [(None, true), (Some("x"), false)]);
}

/// What a statement is made of.
fn shape(sql: &str) -> String {
    let read = names(sql).unwrap();
    let parts = [
        ("filtered", read.filtered),
        ("ordered", !read.order_by.is_empty()),
        ("limit", read.limit),
        ("offset", read.offset),
        ("pages", read.pages),
        ("distinct", read.distinct),
        ("grouped", read.grouped),
        ("aggregate", read.aggregate),
    ];
    parts.into_iter().filter(|(_, is)| *is).map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_shape_is_that_of_the_tree_and_not_of_words() {
    assert_eq!(shape("SELECT \"limit\", \"offset\" FROM \"group\""), "");
    assert_eq!(
        shape("SELECT DISTINCT a FROM t WHERE a = 1 ORDER BY a LIMIT 1 OFFSET 2"),
        "filtered ordered limit offset distinct"
    );
    assert_eq!(shape("SELECT a FROM t WHERE (1 = 1) LIMIT 2, 1"), "limit offset");
    assert_eq!(shape("SELECT a FROM t WHERE 1 AND a"), "filtered");
    // A number is the same for each page, and what ends a batch behind a key is no page.
    assert_eq!(shape("SELECT a FROM t LIMIT 20 OFFSET ?"), "limit offset pages");
    assert_eq!(shape("SELECT a FROM t LIMIT ?, 1"), "limit offset pages");
    let batch = "SELECT a FROM t WHERE b AND a > ? ORDER BY a LIMIT 1 OFFSET ?";
    assert_eq!(shape(batch), "filtered ordered limit offset");
    let value = "DELETE FROM t WHERE a < (SELECT a FROM t ORDER BY a DESC LIMIT 1 OFFSET ?)";
    assert_eq!(shape(value), "filtered limit offset");
    let pages = "DELETE FROM t WHERE a IN (SELECT a FROM t ORDER BY a LIMIT 9 OFFSET ?)";
    assert_eq!(shape(pages), "filtered limit offset pages");
    assert_eq!(
        shape("SELECT a FROM (SELECT a FROM t WHERE a GROUP BY a ORDER BY a LIMIT 1)"),
        "limit grouped"
    );
    assert_eq!(shape("DELETE FROM t WHERE a = (SELECT max(a) FROM t LIMIT 1)"), "filtered limit");
    assert_eq!(
        shape("WITH c AS (SELECT 1) DELETE FROM t WHERE a ORDER BY a LIMIT 1"),
        "filtered ordered limit"
    );
    assert_eq!(shape("INSERT INTO t SELECT a FROM u WHERE true ON CONFLICT DO UPDATE SET a = 1 WHERE b"), "");
    assert_eq!(shape("SELECT a FROM t GROUP BY a"), "grouped aggregate");
    assert_eq!(shape("SELECT 1 + Count(DISTINCT a) FROM t"), "aggregate");
    assert_eq!(shape("SELECT max(a, b), min(a) OVER (), (SELECT sum(a) FROM t) FROM t"), "");
    assert_eq!(shape("SELECT sum(max(a)) OVER () FROM t"), "aggregate");
    assert_eq!(shape("SELECT a FROM t UNION ALL SELECT max(a) FROM u"), "aggregate");
}

#[test]
fn places_are_bytes_whatever_stands_before() {
    let sql = "-- é\r\nSELECT *\r\n FROM \"tāble\" -- ü\r\n\tWHERE é = '\u{1F600}' AND \u{1F600}x=1 AND interval IS 'ü\n' AND y=2";
    assert_eq!(tables(sql), ["\"tāble\" = tāble"]);
    let expected = [
        "é = '\u{1F600}' | é = '\u{1F600}'",
        "\u{1F600}x=1 | \u{1F600}x = 1",
        "interval IS 'ü\n' | interval IS 'ü\n'",
        "y=2 | y = 2",
    ];
    assert_eq!(predicates(sql), expected);
}

#[test]
fn what_is_not_one_statement_has_no_names() {
    for sql in ["", "SELECT", "SELEC 1", "SELECT 1; SELECT 2", "CREATE TRIGGER x", "SELECT 'a FROM b"] {
        assert_eq!(names(sql), None, "{sql}");
    }
    for sql in ["SELECT 1;", "SELECT * FROM (SELECT 1)"] {
        let read = names(sql).unwrap();
        assert_eq!((read.tables, read.predicates), (Vec::new(), Vec::new()), "{sql}");
    }
}

#[test]
fn no_cut_through_a_statement_breaks_the_reading() {
    let sql = "WITH c AS (SELECT é FROM [t]) UPDATE \"ü\" SET a = 'x''y' FROM c WHERE CAST(\u{1F600} AS INT) IS NOT ? \
               AND (b, c) > (?1, :x) OR d BETWEEN (1 -- ?\r\n) AND 2 /* ) */ ORDER BY e LIMIT 1";
    let cuts: Vec<usize> = sql.char_indices().map(|(at, _)| at).chain([sql.len()]).collect();
    for (nth, &start) in cuts.iter().enumerate() {
        for &end in cuts.iter().skip(nth) {
            let part = sql.get(start..end).unwrap();
            for predicate in names(part).unwrap_or_default().predicates {
                let place = part.get(predicate.start..predicate.end).unwrap();
                assert!(place.contains(&predicate.column), "{part}: {predicate:?}");
            }
        }
    }
}

/// Texts that nest, each deeper than any program writes.
fn nested(times: usize) -> Vec<String> {
    let around = |open: &str, close: &str| format!("SELECT {}1{}", open.repeat(times), close.repeat(times));
    vec![
        around("(", ")"),
        around("f(", ")"),
        around("(SELECT ", ")"),
        around("NOT ", ""),
        around("- ", ""),
        around("CASE WHEN ", " THEN 1 END"),
        around("1 + ", ""),
        around("1 AND ", ""),
        around("1 = ", ""),
        around("1 IN (", ")"),
        around("CAST(", " AS TEXT)"),
        around("1 BETWEEN ", " AND 2"),
        around("", " COLLATE x"),
        around("", " IS NULL"),
        around("", "::int"),
        around("", "[1]"),
        around("{a:", "}"),
        around("EXISTS (SELECT ", ")"),
        around("", " UNION SELECT 1"),
        around("", " UNION ALL (SELECT 1"),
        around("1 FROM (SELECT ", ")"),
        format!("SELECT * FROM {}a{}", "(".repeat(times), ")".repeat(times)),
        format!("SELECT * FROM a{}", " JOIN a".repeat(times)),
        format!("SELECT * FROM {}a{}", "(a JOIN ".repeat(times), ")".repeat(times)),
        format!("SELECT * FROM a{}", " JOIN a ON 1".repeat(times)),
        format!("{} SELECT 1", "EXPLAIN".repeat(times)),
        format!("{}SELECT 1", "EXPLAIN ".repeat(times)),
        format!("{}SELECT 1{}", "WITH a AS (".repeat(times), ") SELECT 1".repeat(times)),
        format!("CREATE TABLE t(a {}{})", "ARRAY<".repeat(times), ">".repeat(times)),
        format!("CREATE TABLE t(a {}INT{})", "STRUCT(a ".repeat(times), ")".repeat(times)),
        format!("CREATE TABLE t({})", "a INT CHECK (a > 1) DEFAULT (1 + 1), ".repeat(times)),
        "(".repeat(times),
        "BEGIN ".repeat(times),
        "IF 1 THEN ".repeat(times),
        "PREPARE a AS ".repeat(times),
        "CREATE SCHEMA ".repeat(times),
        format!("SELECT {}", "interval ".repeat(times)),
        format!("SELECT {}", "INTERVAL '1' + ".repeat(times)),
        format!("SELECT {}1", "PRIOR ".repeat(times)),
        format!("SELECT {}1", "DISTINCT ".repeat(times)),
        format!("SELECT {}1", "x -> ".repeat(times)),
        format!("SELECT {}1", "ANY(ALL(".repeat(times)),
        format!("SELECT {}1", "a.".repeat(times)),
        format!("SELECT a{}", "(1)".repeat(times)),
        format!("SELECT a{}", " AT TIME ZONE 'x'".repeat(times)),
    ]
}

#[test]
fn no_text_overflows_a_small_stack_or_takes_long() {
    let run = || {
        for times in [5, 16, 31, 60, 130, 199, 400, 5_000, 30_000] {
            for sql in nested(times) {
                let start = Instant::now();
                let _ = names(&sql);
                let took = start.elapsed();
                assert!(took.as_secs() < 2, "{took:?}: {}", sql.chars().take(60).collect::<String>());
            }
        }
    };
    // The stack of a worker thread, less what may stand above.
    thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}

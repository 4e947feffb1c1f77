//! Every shape of table gets its rows, and the rows are what the experiments take them for.

use super::*;
use crate::schema::Settings;

/// A database of this schema, with plain rows in all of its tables and rows of these kinds, and how many each got.
fn seeded(schema: &str, rows: &[Rows]) -> (Live, BTreeMap<String, usize>) {
    let mut live = Live::open(&Settings::default()).unwrap();
    for applied in live.apply(schema) {
        assert!(applied.outcome.is_ok(), "{schema}: {applied:?}");
    }
    let objects = live.objects().unwrap();
    let is_own = |table: &&Table| table.kind == TableKind::Ordinary && !table.name.starts_with("sqlite_");
    let tables = objects.tables.iter().filter(is_own).map(|table| table.name.to_lowercase()).collect();
    let counts = seed(&mut live, &objects, &tables, &[&[Rows::Plain], rows].concat()).unwrap();
    (live, counts)
}

fn all(live: &mut Live, sql: &str) -> Vec<Vec<Value>> {
    live.ask(sql, usize::MAX).unwrap()
}

fn numbers(live: &mut Live, sql: &str) -> Vec<i64> {
    let number = |value: Value| if let Value::Integer(number) = value { Some(number) } else { None };
    all(live, sql).into_iter().flatten().filter_map(number).collect()
}

fn holds(schema: &str) {
    let (mut live, counts) = seeded(schema, &[]);
    assert!(
        !counts.is_empty() && counts.values().all(|count| *count == ROWIDS.len()),
        "{schema}: {counts:?}"
    );
    assert_eq!(all(&mut live, "PRAGMA foreign_key_check"), Vec::<Vec<Value>>::new(), "{schema}");
    assert_eq!(all(&mut live, "PRAGMA integrity_check"), [[Value::Text("ok".to_owned())]], "{schema}");
}

#[test]
fn every_shape_of_table_gets_its_rows() {
    let schemas = [
        "CREATE TABLE t (a)",
        "CREATE TABLE t (a TEXT PRIMARY KEY, b BLOB, c REAL, d NUMERIC, e BOOLEAN NOT NULL)",
        "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT NOT NULL UNIQUE)",
        "CREATE TABLE t (a INT, b INTEGER, c REAL, d TEXT, e BLOB, f ANY) STRICT",
        "CREATE TABLE t (a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID",
        "CREATE TABLE t (a TEXT, b TEXT, c TEXT, UNIQUE (a, b), UNIQUE (b, c))",
        "CREATE TABLE t (a INTEGER, b AS (a + 1), c INTEGER AS (a * 2) STORED, UNIQUE (c))",
        "CREATE TABLE t (\"a b\" TEXT, [order] TEXT, \"rowid\" TEXT)",
        "CREATE TABLE t (a INTEGER); CREATE UNIQUE INDEX i ON t (a) WHERE a > 0; CREATE UNIQUE INDEX j ON t (a + 1)",
    ];
    for schema in schemas {
        holds(schema);
    }
}

#[test]
fn foreign_keys_find_their_rows() {
    let schemas = [
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER NOT NULL REFERENCES p (id))",
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER NOT NULL REFERENCES p)",
        "CREATE TABLE p (k TEXT PRIMARY KEY); CREATE TABLE c (k TEXT PRIMARY KEY REFERENCES p) WITHOUT ROWID",
        "CREATE TABLE p (a, b, PRIMARY KEY (a, b)); CREATE TABLE c (x, y, FOREIGN KEY (x, y) REFERENCES p (a, b))",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES t (id))",
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b REFERENCES b (id)); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a (id))",
        "CREATE TABLE a (id TEXT PRIMARY KEY); CREATE TABLE b (id TEXT PRIMARY KEY REFERENCES a (id)); CREATE TABLE c (id REFERENCES b (id))",
    ];
    for schema in schemas {
        holds(schema);
    }
}

#[test]
fn checks_are_pleased_by_what_stands_in_them() {
    let schemas = [
        "CREATE TABLE t (a TEXT NOT NULL CHECK (a IN ('new', 'old')))",
        "CREATE TABLE t (a INTEGER CHECK (a IN (0, 1)), b INTEGER CHECK (b BETWEEN 3 AND 5))",
        "CREATE TABLE t (a TEXT PRIMARY KEY CHECK (length(a) = 12), b BLOB NOT NULL UNIQUE CHECK (length(b) == 32))",
        "CREATE TABLE t (a TEXT CHECK (length(a) < 4), b TEXT CHECK (length(b) > 20 AND length(b) <= 64))",
        "CREATE TABLE t (a TEXT CHECK (json_valid(a)), b TEXT CHECK (json_type(b) = 'object'))",
        "CREATE TABLE t (a TEXT, b TEXT, CONSTRAINT one CHECK (a = 'x'), CONSTRAINT \"two\" CHECK (b = 'y'))",
        "CREATE TABLE t (a TEXT PRIMARY KEY CHECK (a IN ('(', ')', 'b'))) WITHOUT ROWID",
        "CREATE TABLE t (a TEXT CHECK (a IS NULL OR a LIKE 'x%'), b INTEGER CHECK (b = -1)) STRICT",
        "CREATE TABLE t (a INTEGER CHECK (a > 0), b INTEGER CHECK (b >= a))",
    ];
    for schema in schemas {
        holds(schema);
    }
}

#[test]
fn a_check_that_nothing_pleases_leaves_a_table_empty() {
    let (_, counts) =
        seeded("CREATE TABLE t (a TEXT NOT NULL CHECK (a = hex('never' || a))); CREATE TABLE u (a)", &[]);
    assert_eq!(counts, BTreeMap::from([("t".to_owned(), 0), ("u".to_owned(), 3)]));
}

#[test]
fn every_value_is_another_and_rowids_have_gaps() {
    let (mut live, _) = seeded("CREATE TABLE t (a TEXT, b INTEGER, c); CREATE TABLE u (a TEXT, d REAL)", &[]);
    assert_eq!(numbers(&mut live, "SELECT rowid FROM t ORDER BY 1"), ROWIDS);
    let sql = "SELECT count(DISTINCT v), count(*) FROM (SELECT a + 0 AS v FROM t UNION ALL SELECT b FROM t
        UNION ALL SELECT c + 0 FROM t UNION ALL SELECT a + 0 FROM u UNION ALL SELECT d + 0 FROM u)";
    assert_eq!(numbers(&mut live, sql), [15, 15]);
}

#[test]
fn autoincrement_has_given_a_number_that_is_gone() {
    let (mut live, _) = seeded("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT)", &[]);
    assert_eq!(numbers(&mut live, "SELECT id FROM t ORDER BY id"), ROWIDS);
    assert_eq!(numbers(&mut live, "SELECT seq FROM sqlite_sequence WHERE name = 't'"), [GONE]);
}

#[test]
fn odd_rows_are_odd_only_where_the_table_allows_it() {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT NOT NULL, c INTEGER, d INTEGER NOT NULL)";
    let odd = |rows: Rows, sql: &str| numbers(&mut seeded(schema, &[rows]).0, sql);
    let twice = "SELECT count(*) - count(DISTINCT a), count(*) - count(DISTINCT b), count(*) - count(DISTINCT c) FROM t";
    assert_eq!(odd(Rows::Duplicates, twice), [0, 1, 1]);
    let missing = "SELECT sum(a IS NULL), sum(b IS NULL), sum(c IS NULL) FROM t";
    assert_eq!(odd(Rows::Nulls, missing), [1, 0, 1]);
    let types = "SELECT sum(typeof(c) = 'text'), sum(typeof(d) = 'text') FROM t";
    assert_eq!(odd(Rows::Types, types), [1, 1]);
    assert_eq!(seeded("CREATE TABLE t (a INTEGER NOT NULL) STRICT", &[Rows::Nulls, Rows::Types]).1["t"], 3);
}

#[test]
fn of_a_key_of_two_columns_one_may_come_twice() {
    let (mut live, counts) = seeded("CREATE TABLE t (a TEXT, b TEXT, UNIQUE (a, b))", &[Rows::Duplicates]);
    assert_eq!(counts["t"], 4);
    assert_eq!(numbers(&mut live, "SELECT count(DISTINCT a), count(DISTINCT b) FROM t"), [3, 4]);
}

#[test]
fn triggers_run_only_for_an_index_of_words() {
    let log = "CREATE TABLE t (a); CREATE TABLE log (a);
        CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END";
    assert_eq!(numbers(&mut seeded(log, &[]).0, "SELECT count(*) FROM log"), [3]);
    let words = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
        CREATE VIRTUAL TABLE words USING fts5 (a, content = 't', content_rowid = 'id');
        CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO words (rowid, a) VALUES (new.id, new.a); END";
    assert_eq!(
        numbers(&mut seeded(words, &[]).0, "SELECT rowid FROM words WHERE words MATCH '20*' ORDER BY 1"),
        ROWIDS
    );
}

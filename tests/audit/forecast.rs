//! What is said of growth, held against files that have grown.

use crate::folder::{Folder, audit, make};
use planlint::schema::{pages_read, sqlite::Connection};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const SCHEMA: &str = "CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT, code TEXT, weight INTEGER, came_at INTEGER);\n\
    CREATE INDEX events_name ON events (name);\n\
    CREATE INDEX events_code ON events (code, weight);\n\
    CREATE TABLE parts (key TEXT PRIMARY KEY, height INTEGER, note TEXT) WITHOUT ROWID;\n\
    CREATE TABLE heads (height INTEGER PRIMARY KEY, came_at TEXT);\n";

/// Statements, each in a function of its own.
const STATEMENTS: [&str; 4] = [
    "SELECT id FROM events WHERE weight = 3",
    "SELECT name, weight FROM events WHERE weight = 3 ORDER BY name",
    "SELECT code FROM events WHERE weight = 3",
    "SELECT key FROM parts WHERE note = 'x'",
];

fn program(config: &str) -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("migrations")).unwrap();
    fs::write(tree.path().join("migrations/0001_init.sql"), SCHEMA).unwrap();
    let put = "def put(db, one):\n    db.execute('INSERT INTO events VALUES (?, ?, ?, ?, ?)', one)\n    \
        db.execute('INSERT INTO parts VALUES (?, ?, ?)', one)\n";
    let reads = STATEMENTS.iter().enumerate().map(|(at, sql)| {
        format!("\n\ndef read_{at}(db):\n    return db.execute(\"\"\"{sql}\"\"\").fetchall()\n")
    });
    let text = std::iter::once(put.to_owned()).chain(reads).collect::<String>();
    fs::write(tree.path().join("events.py"), text).unwrap();
    fs::write(tree.path().join("planlint.toml"), config).unwrap();
    tree
}

/// Rows of two tables from one number to another: an event each ten minutes, a head each hour.
fn fill(from: u32, to: u32) -> String {
    format!(
        "BEGIN;
         WITH RECURSIVE n(i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i < {to})
         INSERT INTO events SELECT i, hex(randomblob(12)), hex(randomblob(6)), i % 1000, 1700000000 + i * 600 FROM n;
         WITH RECURSIVE n(i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i < {to})
         INSERT INTO parts SELECT hex(randomblob(10)), i / 6, 'some note' FROM n;
         WITH RECURSIVE n(i) AS (SELECT {from} / 6 + 1 UNION ALL SELECT i + 1 FROM n WHERE i < {to} / 6)
         INSERT INTO heads SELECT i, datetime(1700000000 + i * 3600, 'unixepoch') FROM n;
         COMMIT;"
    )
}

fn said(file: &Path, tree: &Path) -> Value {
    let (exit, text) = audit(file, &["--source", tree.to_str().unwrap(), "--format", "json"]);
    assert_eq!(exit, 0, "{text}");
    serde_json::from_str(&text).unwrap()
}

fn statement<'a>(said: &'a Value, sql: &str) -> &'a Value {
    let all = said.pointer("/program/0/statements").and_then(Value::as_array).unwrap();
    let found = all.iter().find(|one| one.get("sql").is_some_and(|text| text == sql));
    assert!(found.is_some(), "{sql}: {said}");
    found.unwrap()
}

fn measured(file: &Path, sql: &str) -> f64 {
    let connection = Connection::open(file).unwrap();
    let run = || {
        let before = pages_read(&connection).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        while rows.next().unwrap().is_some() {}
        pages_read(&connection).unwrap() - before
    };
    // The first reads the schema, too.
    run();
    run() as f64
}

fn table<'a>(said: &'a Value, name: &str) -> &'a Value {
    said["tables"].as_array().unwrap().iter().find(|table| table["name"] == name).unwrap()
}

#[test]
fn pages_at_four_times_the_size_are_those_that_are_measured_then() {
    let (tree, folder) = (program(""), Folder::with(SCHEMA));
    make(&folder.file(), &fill(1, 30_000));
    let said = said(&folder.file(), tree.path());
    let now: Vec<f64> = STATEMENTS.iter().map(|sql| measured(&folder.file(), sql)).collect();
    make(&folder.file(), &fill(30_001, 120_000));
    for (sql, now) in STATEMENTS.iter().zip(now) {
        let pages = &statement(&said, sql)["pages"];
        let then = measured(&folder.file(), sql);
        for (told, found) in [(&pages["now"], now), (&pages["four_times"], then)] {
            let told = told.as_f64().unwrap();
            assert!((told / found - 1.0).abs() < 0.15, "{sql}: {told} for {found}");
        }
    }
}

#[test]
fn growth_is_told_by_times_by_heights_and_by_what_has_both() {
    let (tree, folder) = (program(""), Folder::with(SCHEMA));
    make(&folder.file(), "CREATE INDEX parts_height ON parts (height)");
    make(&folder.file(), &fill(1, 30_000));
    let said = said(&folder.file(), tree.path());
    let per_day = |name: &str| table(&said, name)["growth"]["rows_per_day"].as_f64().unwrap();
    for (name, rows) in [("events", 144.0), ("heads", 24.0), ("parts", 144.0)] {
        assert!((per_day(name) / rows - 1.0).abs() < 0.05, "{name}: {}", table(&said, name));
    }
    assert_eq!(table(&said, "events")["growth"]["column"], "came_at");
    assert_eq!(table(&said, "parts")["growth"]["unit"], "numbers");
    assert_eq!(table(&said, "parts")["growth"]["clock"]["table"], "heads");
    let pages = &statement(&said, STATEMENTS[0])["pages"];
    // A year brings 52,560 rows to 30,000.
    let (now, year) = (pages["now"].as_f64().unwrap(), pages["year"].as_f64().unwrap());
    assert!((year / now / 2.752 - 1.0).abs() < 0.05, "{pages}");
}

#[test]
fn where_there_is_no_trend_none_is_said() {
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)";
    for (sql, why) in [
        (format!("{rows} INSERT INTO t SELECT i, 1700000000 + abs(random()) % 9000000 FROM n"), "no order"),
        (format!("{rows} INSERT INTO t SELECT i, 1700000000 + i FROM n"), "within hours"),
        (format!("{rows} INSERT INTO t SELECT i, 1700000000 FROM n"), "at once"),
        (format!("{rows} INSERT INTO t SELECT i, i % 7 FROM n"), "no times"),
        (format!("{rows} INSERT INTO t SELECT i, 1700000000 - i * 600 FROM n"), "backwards"),
        (format!("{rows} INSERT INTO t SELECT i, 1700000000 + i * i * i FROM n"), "slower and slower"),
        (
            format!(
                "{rows} INSERT INTO t SELECT i, 1700000000 + i * 600 FROM n; DELETE FROM t WHERE id < 2500"
            ),
            "deleted in front",
        ),
        (format!("{rows} INSERT INTO t SELECT i, zeroblob(8) FROM n"), "blobs"),
        (format!("{rows} INSERT INTO t SELECT i, NULL FROM n"), "nothing"),
    ] {
        let folder =
            Folder::with(&format!("CREATE TABLE t (id INTEGER PRIMARY KEY, created_at INTEGER); {sql};"));
        let (_, text) = folder.audit(&["--format", "json"]);
        let said: Value = serde_json::from_str(&text).unwrap();
        assert!(table(&said, "t")["growth"].is_null(), "{why}: {}", table(&said, "t"));
        assert!(!folder.audit(&[]).1.contains("grows by"), "{why}");
    }
}

#[test]
fn times_are_known_in_whatever_unit_they_are() {
    for value in [
        "1700000000 + i * 600",
        "(1700000000 + i * 600) * 1000",
        "(1700000000 + i * 600) * 1000000",
        "1700000000 + i * 600.5",
        "strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + i * 600, 'unixepoch')",
    ] {
        // A column that came later is missing in older rows.
        let folder = Folder::with(&format!(
            "CREATE TABLE t (id INTEGER PRIMARY KEY);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i FROM n;
             ALTER TABLE t ADD COLUMN x;
             WITH RECURSIVE n(i) AS (SELECT 2001 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO t SELECT i, {value} FROM n;"
        ));
        let (_, text) = folder.audit(&["--format", "json"]);
        let said: Value = serde_json::from_str(&text).unwrap();
        let per_day = table(&said, "t")["growth"]["rows_per_day"].as_f64().unwrap_or_default();
        assert!((per_day / 144.0 - 1.0).abs() < 0.05, "{value}: {}", table(&said, "t"));
    }
}

#[test]
fn a_budget_of_time_is_said_to_be_passed() {
    let folder = Folder::with(SCHEMA);
    make(&folder.file(), &fill(1, 30_000));
    for (budget, when) in [("1", "already"), ("100", "later"), ("1000000", "far")] {
        let tree = program(&format!("[audit]\nbudget-ms = {budget}\npage-ms = 0.1\n"));
        let said = said(&folder.file(), tree.path());
        let passes = &statement(&said, STATEMENTS[0])["pages"]["passes_budget"];
        assert_eq!(passes["when"], when, "{passes}");
    }
    // 450 pages are passed when the rows are so many times as many.
    let tree = program("[audit]\nbudget-ms = 100\n");
    let said = said(&folder.file(), tree.path());
    let pages = &statement(&said, STATEMENTS[0])["pages"];
    let times = 1000.0 / pages["now"].as_f64().unwrap();
    let days = (times - 1.0) * 30_000.0 / 144.0;
    let told = pages["passes_budget"]["days"].as_f64().unwrap();
    assert!((told / days - 1.0).abs() < 0.05, "{pages}");
}

#[test]
fn a_budget_that_is_no_time_is_refused() {
    let folder = Folder::with(SCHEMA);
    for (text, said) in [
        ("[audit]\nbudget-ms = 0\n", "no time that anything takes"),
        ("[audit]\npage-ms = \"1\"\n", "expected a number"),
        ("[audit]\nbudgetms = 3\n", "did you mean `budget-ms`?"),
    ] {
        let tree = program(text);
        let (exit, text) = audit(&folder.file(), &["--source", tree.path().to_str().unwrap()]);
        assert!(exit == 2 && text.contains(said), "{said}: {text}");
    }
}

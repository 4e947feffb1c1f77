//! The page `obstacles.md`: statements that no index serves as they stand, why, and what was proved to help.
//!
//! A rewrite is also run: the statement and its rewrite return the same rows on tables full of values that SQLite compares
//! in odd ways, for all values of its parameters that the page allows.

#![cfg(test)]

use planlint::run::{CheckRequest, facts};
use rusqlite::{Connection, types::Value};
use std::fs;
use tempfile::TempDir;

const PAGE: &str = include_str!("obstacles.md");

/// A statement, and what is expected of it.
struct Case {
    title: String,
    schema: String,
    sql: String,
    expected: Vec<String>,
    /// The values of which rows are made, and those that are bound, as SQL.
    stored: Vec<String>,
    bound: Vec<String>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let (mut title, mut schema, mut kind) = (String::new(), String::new(), None::<String>);
    for line in PAGE.lines() {
        match (&kind, line.strip_prefix("```")) {
            (Some(_), Some(_)) => kind = None,
            (None, Some(name)) => {
                kind = Some(name.to_owned());
                if name == "schema" {
                    schema.clear();
                } else if name == "sql" {
                    let (title, schema) = (title.clone(), schema.clone());
                    let (expected, stored, bound) = Default::default();
                    cases.push(Case { title, schema, sql: String::new(), expected, stored, bound });
                }
            }
            (Some(name), None) => match (name.as_str(), cases.last_mut()) {
                ("schema", _) => schema.extend([line, "\n"]),
                ("sql", Some(case)) => case.sql.extend([line, "\n"]),
                (_, Some(case)) => case.expected.push(line.to_owned()),
                (_, None) => panic!("a block before the first statement: {line}"),
            },
            (None, None) => {
                let words = |text: &str| text.split(' ').map(str::to_owned).collect();
                if let Some(text) = line.strip_prefix("## ") {
                    text.clone_into(&mut title);
                } else if let (Some(text), Some(case)) = (line.strip_prefix("Stored: "), cases.last_mut()) {
                    case.stored = words(text);
                } else if let (Some(text), Some(case)) = (line.strip_prefix("Bound: "), cases.last_mut()) {
                    case.bound = words(text);
                }
            }
        }
    }
    cases
}

/// What was found out about the statement: its obstacles, and its rewrite with its condition.
fn found(case: &Case) -> (Vec<String>, Vec<(String, bool)>) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("schema.sql"), &case.schema).unwrap();
    fs::write(folder.path().join("query.sql"), &case.sql).unwrap();
    let config = "[[database]]\nname = \"main\"\nmigrations = [\"schema.sql\"]\ngrowing = [\"*\"]\n";
    fs::write(folder.path().join("planlint.toml"), config).unwrap();
    let output = folder.path().join("facts.db");
    facts(&CheckRequest::new(folder.path()), &output).unwrap();
    let facts = Connection::open(&output).unwrap();
    let planned = "SELECT count(*) FROM plan JOIN statement ON statement.id = plan.statement";
    let planned: i64 = facts.query_row(planned, [], |row| row.get(0)).unwrap();
    assert_eq!(planned, 1, "{}: it is not planned", case.title);
    let mut obstacles = facts.prepare("SELECT kind || ': ' || help FROM obstacle ORDER BY id").unwrap();
    let obstacles = obstacles.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut rewrites =
        facts.prepare("SELECT text, condition IS NULL FROM relief WHERE kind = 'rewrite'").unwrap();
    let rewrites = rewrites.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    (obstacles, rewrites.map(Result::unwrap).collect())
}

#[test]
fn each_statement_has_the_obstacles_of_the_page() {
    let mut faults = Vec::new();
    let cases = cases();
    assert!(cases.len() > 40, "only {} cases were found", cases.len());
    for case in &cases {
        let (obstacles, rewrites) = found(case);
        if obstacles != case.expected {
            faults.push(format!("## {}\n{}```found\n{}\n```", case.title, case.sql, obstacles.join("\n")));
        }
        for (rewrite, is_always) in rewrites {
            if let Err(fault) = means_the_same(case, &rewrite, is_always) {
                faults.push(format!("## {}\n{rewrite}\n{fault}", case.title));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn no_index_is_advised_with_which_another_row_would_be_the_one_that_is_taken() {
    let relief = |body: &str| {
        let folder = TempDir::new().unwrap();
        let schema = "CREATE TABLE step(n INT PRIMARY KEY DESC, root BLOB, turn INT) WITHOUT ROWID;";
        fs::write(folder.path().join("schema.sql"), schema).unwrap();
        let code = format!("package store\n\nfunc read(db *sql.DB) {{\n\t{body}\n}}\n");
        fs::write(folder.path().join("store.go"), code).unwrap();
        let config = "[[database]]\nname = \"main\"\nmigrations = [\"schema.sql\"]\ngrowing = [\"*\"]\n";
        fs::write(folder.path().join("planlint.toml"), config).unwrap();
        let output = folder.path().join("facts.db");
        facts(&CheckRequest::new(folder.path()), &output).unwrap();
        let facts = Connection::open(&output).unwrap();
        facts.query_row("SELECT count(*) FROM relief", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    let sets = "SELECT root FROM step WHERE root IS NOT NULL";
    assert_eq!(relief(&format!("db.QueryRow(\"{sets}\").Scan(&root)")), 0);
    assert_eq!(relief(&format!("db.Query(\"{sets}\")")), 1, "all of them are taken");
    let equal = "SELECT n FROM step WHERE turn = ?";
    assert_eq!(relief(&format!("db.QueryRow(\"{equal}\", turn).Scan(&n)")), 1, "they come as before");
}

/// What can stand in the place of several statements, for one of them.
fn instead(schema: &str, sql: &str) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("schema.sql"), schema).unwrap();
    fs::write(folder.path().join("query.sql"), sql).unwrap();
    let config = "[[database]]\nname = \"main\"\nmigrations = [\"schema.sql\"]\n";
    fs::write(folder.path().join("planlint.toml"), config).unwrap();
    let output = folder.path().join("facts.db");
    facts(&CheckRequest::new(folder.path()), &output).unwrap();
    let facts = Connection::open(&output).unwrap();
    let mut texts = facts.prepare("SELECT text FROM instead ORDER BY rowid").unwrap();
    texts.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn an_upsert_is_written_for_each_key_that_is_unique() {
    let sql = "INSERT INTO node (hash, name) VALUES (?1, ?2);";
    let plain = "CREATE TABLE node(id INTEGER, hash BLOB, name TEXT);";
    assert_eq!(instead(plain, sql), Vec::<String>::new());
    assert_eq!(instead(&format!("{plain} CREATE INDEX by_hash ON node(hash);"), sql), Vec::<String>::new());
    let partial = format!("{plain} CREATE UNIQUE INDEX by_hash ON node(hash) WHERE name IS NULL;");
    assert_eq!(instead(&partial, sql), Vec::<String>::new());
    assert_eq!(
        instead(&format!("{plain} CREATE UNIQUE INDEX by_hash ON node(hash, name);"), sql),
        ["INSERT INTO node (hash, name) VALUES (?1, ?2) ON CONFLICT (hash, name) DO NOTHING"]
    );
    let selected = "INSERT INTO node (hash, name) SELECT hash, name FROM node WHERE id = ?;";
    assert_eq!(
        instead(&format!("{plain} CREATE UNIQUE INDEX by_hash ON node(hash);"), selected),
        Vec::<String>::new()
    );
}

#[test]
fn a_walk_is_written_where_each_step_is_a_search() {
    let sql = "SELECT parent, height FROM node WHERE hash = ?1";
    let plain = "CREATE TABLE node(hash BLOB, parent BLOB, height INTEGER);";
    assert_eq!(instead(plain, sql), Vec::<String>::new());
    assert_eq!(
        instead(&format!("{plain} CREATE INDEX by_hash ON node(hash);"), sql),
        ["WITH RECURSIVE walk(at) AS (SELECT parent FROM node WHERE hash = ? UNION SELECT node.parent \
          FROM walk JOIN node ON node.hash = walk.at) SELECT at FROM walk"]
    );
    let two = "CREATE TABLE node(hash BLOB PRIMARY KEY, parent BLOB, height BLOB);";
    assert_eq!(instead(two, sql), Vec::<String>::new());
}

/// The kinds of what was proved to help statements, as `kind: text`.
fn proved(schema: &str, sql: &str, growth: bool) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("schema.sql"), schema).unwrap();
    fs::write(folder.path().join("query.sql"), sql).unwrap();
    let config = "[[database]]\nname = \"main\"\nmigrations = [\"schema.sql\"]\ngrowing = [\"*\"]\n";
    fs::write(folder.path().join("planlint.toml"), config).unwrap();
    let output = folder.path().join("facts.db");
    facts(&CheckRequest { growth, ..CheckRequest::new(folder.path()) }, &output).unwrap();
    let facts = Connection::open(&output).unwrap();
    let mut texts = facts.prepare("SELECT kind || ': ' || part FROM relief ORDER BY rowid").unwrap();
    texts.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

const ERRANDS: &str = "CREATE TABLE errand(id INTEGER PRIMARY KEY, owner TEXT NOT NULL, \
    state INTEGER NOT NULL CHECK (state IN (0, 1, 2)), paid INTEGER NOT NULL CHECK (paid IN (0, 1)));\n\
    CREATE INDEX errand_owner ON errand(owner);\nCREATE INDEX errand_state ON errand(state, paid);\n";

#[test]
fn statistics_help_who_keeps_none() {
    let read = "SELECT id FROM errand WHERE owner = ? AND state = 1 AND paid = 0;\n";
    // What is not read for advice is planned and measured all the same.
    let sql = &read.replace(';', " AND id & (1 << 2) IS NOT 0;");
    let is_analyze = |one: &String| one == "analyze: ANALYZE";
    // An index is right for other rows, too.
    assert_eq!(proved(ERRANDS, read, true), ["index: (owner, state, paid)"]);
    assert!(proved(ERRANDS, sql, true).iter().any(is_analyze));
    // Who keeps statistics, or whose schema has some, needs nobody to say so.
    assert!(!proved(ERRANDS, &format!("{sql}PRAGMA optimize;\n"), true).iter().any(is_analyze));
    assert!(!proved(ERRANDS, &format!("ANALYZE;\n{sql}"), true).iter().any(is_analyze));
    let with = format!(
        "{ERRANDS}ANALYZE;\nINSERT INTO sqlite_stat1 VALUES ('errand', 'errand_state', '9000 5 1');\n"
    );
    assert!(!proved(&with, sql, true).iter().any(is_analyze));
    // What is measured proves them, and nothing else.
    assert!(!proved(ERRANDS, sql, false).iter().any(is_analyze));
}

#[test]
fn what_no_plan_proves_is_not_said_without_a_measurement() {
    let reading = "CREATE TABLE reading(station INTEGER NOT NULL, taken INTEGER NOT NULL);\n\
                   CREATE INDEX reading_station ON reading(station);\n";
    let sql = "SELECT max(taken) FROM reading WHERE station = ?;";
    assert_eq!(proved(reading, sql, true), ["index: (station, taken)"]);
    assert_eq!(proved(reading, sql, false), Vec::<String>::new());
    let hinted = "SELECT id FROM errand WHERE owner = ? AND likelihood(state = 1, 0.00001);";
    assert_eq!(proved(ERRANDS, hinted, true), ["rewrite: errand INDEXED BY errand_owner"]);
    assert_eq!(proved(ERRANDS, hinted, false), Vec::<String>::new());
    // An index whose name nobody chose may have another one tomorrow.
    let unique = ERRANDS.replace("CREATE INDEX errand_owner ON errand(owner);", "");
    let unique = unique.replace("owner TEXT NOT NULL", "owner TEXT NOT NULL UNIQUE");
    assert_eq!(proved(&unique, hinted, true), Vec::<String>::new());
}

/// Values that compare in odd ways.
const ODD: &[&str] = &[
    "NULL",
    "0",
    "1",
    "2",
    "-1",
    "5",
    "6",
    "0.0",
    "1.0",
    "1.5",
    "''",
    "'0'",
    "'1'",
    "'5'",
    "'05'",
    "'1.0'",
    "' 1'",
    "'a'",
    "'A'",
    "'ab'",
    "'abc'",
    "'abcd'",
    "'ABC'",
    "'abd'",
    "'open'",
    "x''",
    "x'61'",
    "x'616263'",
    "x'AB'",
    "'AB'",
    "'x'",
    "9223372036854775807",
    "-9223372036854775808",
    "9.5e18",
    "'{\"kind\":1,\"owner\":\"a\"}'",
];

/// Runs both texts on the same rows, with the same values.
fn means_the_same(case: &Case, rewrite: &str, is_always: bool) -> Result<(), String> {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(&case.schema).unwrap();
    let all: Vec<String> = ODD.iter().map(|&value| value.to_owned()).collect();
    if !is_always && case.stored.is_empty() && case.bound.is_empty() {
        return Err("its condition is not tested: the page says neither Stored nor Bound".to_owned());
    }
    let stored = if case.stored.is_empty() { &all } else { &case.stored };
    let bound = if case.bound.is_empty() { &all } else { &case.bound };
    fill(&connection, stored);
    let mut rows = 0;
    let parameters = parameters(&connection, &case.sql);
    if parameters != self::parameters(&connection, rewrite) {
        return Err("it has other parameters".to_owned());
    }
    let read = |value: &String| -> Value {
        connection.query_row(&format!("SELECT {value}"), [], |row| row.get(0)).unwrap()
    };
    let bound: Vec<Value> = bound.iter().map(read).collect();
    // Of several parameters, each pair of values.
    let steps = if parameters.len() > 1 { bound.len() } else { 1 };
    for (first, step) in (0..bound.len()).flat_map(|first| (0..steps).map(move |step| (first, step))) {
        let values: Vec<&Value> =
            (0..parameters.len()).map(|at| &bound[(first + at * step) % bound.len()]).collect();
        let (before, after) = (run(&connection, &case.sql, &values), run(&connection, rewrite, &values));
        rows += before.len();
        if before != after {
            return Err(format!(
                "with {values:?}: {} rows are {}\n{before:?}\n{after:?}",
                before.len(),
                after.len()
            ));
        }
    }
    if rows == 0 { Err("it never returns a row".to_owned()) } else { Ok(()) }
}

/// Rows of all pairs of values, as far as the tables take them.
fn fill(connection: &Connection, values: &[String]) {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    let mut tables = connection.prepare(sql).unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for table in tables {
        let sql = format!("SELECT name FROM pragma_table_info('{table}')");
        let mut columns = connection.prepare(&sql).unwrap();
        let columns: Vec<String> =
            columns.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        for (number, value) in values.iter().enumerate() {
            for step in [0, 1, 5] {
                let other = |at: usize| values[(number + at * step) % values.len()].clone();
                let id = if step == 0 && value.parse::<i64>().is_ok() {
                    value.clone()
                } else {
                    (1000 + number * 10 + step).to_string()
                };
                let rest = (1..columns.len()).map(|at| if at == 1 { value.clone() } else { other(at) });
                let row: Vec<String> = std::iter::once(id).chain(rest).collect();
                let flags = columns.last().is_some_and(|last| last == "flag");
                let last = if flags { format!("{}", step % 2) } else { row.last().unwrap().clone() };
                let row = [&row[..row.len() - 1], &[last]].concat();
                let sql = format!(
                    "INSERT OR IGNORE INTO {table}({}) VALUES ({})",
                    columns.join(", "),
                    row.join(", ")
                );
                // What a table does not take is none of its values.
                let _ = connection.execute_batch(&sql);
            }
        }
    }
}

/// The parameters of a statement, each by its name if it has one.
fn parameters(connection: &Connection, sql: &str) -> Vec<String> {
    let statement = connection.prepare(sql).unwrap();
    let name = |parameter| statement.parameter_name(parameter).map(str::to_owned);
    // A `?` is the same as one with its number.
    (1..=statement.parameter_count())
        .map(|parameter| name(parameter).unwrap_or_else(|| format!("?{parameter}")))
        .collect()
}

/// What a statement returns, sorted, with these values for its parameters.
fn run(connection: &Connection, sql: &str, values: &[&Value]) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    for (number, value) in values.iter().enumerate() {
        statement.raw_bind_parameter(number + 1, value).unwrap();
    }
    let columns = statement.column_count();
    let mut rows = statement.raw_query();
    let mut all = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let values: Vec<String> =
            (0..columns).map(|at| format!("{:?}", row.get::<_, Value>(at).unwrap())).collect();
        all.push(values.join(", "));
    }
    all.sort();
    all
}

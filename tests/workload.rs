//! Statements that were logged at run time: planned, measured and reported as those of the sources, at their line of the log.

#![cfg(test)]

use planlint::{
    report::{
        json,
        lists::{self, List},
    },
    run::{CheckRequest, Outcome, check},
};
use std::fs;

const SCHEMA: &str =
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT NOT NULL, body TEXT, kept INTEGER NOT NULL DEFAULT 0);
CREATE INDEX notes_kept ON notes (body) WHERE kept = 1;
";

/// What is found in a program of these files.
fn judged(files: &[(&str, &str)]) -> Result<Outcome, String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [("schema.sql", SCHEMA)].iter().chain(files) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    check(&CheckRequest::new(folder.path())).map_err(|error| error.to_string())
}

/// Each finding of a warning or more: rule, path, line.
fn warnings(outcome: &Outcome) -> Vec<(String, String, u32)> {
    let all = outcome.report.diagnostics.iter();
    let bad = all.filter(|one| one.severity > planlint::config::Severity::Note);
    bad.filter_map(|one| {
        let place = one.place.as_ref()?;
        Some((one.rule.clone(), place.path.clone(), place.start.line))
    })
    .collect()
}

const TOP: (&str, &str) = ("planlint.toml", "workload = [\"log/dev.log\"]\n");

#[test]
fn a_logged_statement_is_reported_at_its_line() {
    let log = "Started\n(0.001) INSERT INTO \"notes\" (\"author\") VALUES ('a'); args=('a',); alias=default\n\
               (0.001) SELECT \"notes\".\"id\" FROM \"notes\" WHERE \"notes\".\"author\" = 'a'; args=('a',); alias=default\n\
               (0.001) SELECT \"notes\".\"id\" FROM \"notes\" WHERE \"notes\".\"author\" = 'b'; args=('b',); alias=default\n";
    let outcome = judged(&[TOP, ("log/dev.log", log)]).unwrap();
    let expected = ("growing-table-scan".to_owned(), "log/dev.log".to_owned(), 3);
    assert_eq!(warnings(&outcome), [expected]);
    let text = outcome.to_string();
    assert!(text.contains("log/dev.log:3:"), "{text}");
    assert!(text.contains("log log/dev.log: 3 runs of 2 statements, 1 line without"), "{text}");
    let json = json::render(&outcome.report);
    let said = "\"workload\":[{\"path\":\"log/dev.log\",\"runs\":3,\"statements\":2,\"other_lines\":1,\"left_out\":0}]";
    assert!(json.contains(said), "{json}");
}

#[test]
fn the_values_of_a_log_choose_the_plan() {
    let sql = "SELECT id FROM notes WHERE body = ? AND kept = ?";
    let insert = "INSERT INTO notes (author, body, kept) VALUES ('a', 'b', 1);\n";
    let log = |kept: u8| format!("{insert}{{\"sql\": \"{sql}\", \"parameters\": [\"x\", {kept}]}}\n");
    let plan = |kept: u8| {
        let outcome = judged(&[TOP, ("log/dev.log", &log(kept))]).unwrap();
        lists::render(&outcome.listings(List::Statements)).lines().last().unwrap().to_owned()
    };
    assert!(plan(1).contains("INDEX notes_kept (body=?)"), "{}", plan(1));
    assert!(plan(0).contains("SCAN notes") && plan(0).ends_with("(run once)"), "{}", plan(0));
}

#[test]
fn what_stands_in_a_source_too_is_reported_there_alone() {
    let code = "def of(db, author):\n    db.execute(\"INSERT INTO notes (author) VALUES (?)\", (author,))\n    \
                return db.execute(\"SELECT id FROM notes WHERE author = ?\", (author,)).fetchall()\n";
    let log = "SELECT id FROM notes WHERE author = 'a';\nSELECT id FROM notes WHERE author = 'b';\n";
    let outcome = judged(&[TOP, ("log/dev.log", log), ("store.py", code)]).unwrap();
    assert_eq!(warnings(&outcome), [("growing-table-scan".to_owned(), "store.py".to_owned(), 3)]);
}

#[test]
fn a_log_belongs_to_its_database() {
    let config = "[[database]]\nname = \"a\"\nmigrations = [\"a.sql\"]\n\
                  [[database]]\nname = \"b\"\nmigrations = [\"b.sql\"]\nworkload = [\"b.log\"]\n";
    let files = [
        ("planlint.toml", config),
        ("a.sql", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);\nCREATE INDEX t_a ON t (a);\n"),
        ("b.sql", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);\n"),
        (
            "b.log",
            "INSERT INTO t (a) VALUES ('x');\nSELECT id FROM t WHERE a = 'x';\nSELECT id FROM t WHERE b = 1;\n",
        ),
    ];
    let outcome = judged(&files).unwrap();
    let found: Vec<(String, u32)> =
        warnings(&outcome).into_iter().map(|(rule, _, line)| (rule, line)).collect();
    let expected = [("growing-table-scan".to_owned(), 2), ("refused-statement".to_owned(), 3)];
    assert_eq!(found, expected);
}

#[test]
fn a_log_with_nothing_or_none_is_an_error_at_its_place() {
    let error = judged(&[TOP, ("log/dev.log", "hello\nworld\n")]).err().unwrap();
    assert_eq!(error, "planlint.toml: no statement was found in `log/dev.log`");
    assert!(judged(&[TOP]).err().unwrap().contains("can't read `log/dev.log`"));
    let twice = "workload = [\"a.log\", \"./a.log\"]\n";
    let error = judged(&[("planlint.toml", twice), ("a.log", "SELECT id FROM notes;\n")]).err().unwrap();
    assert_eq!(error, "planlint.toml: `a.log` is named twice");
}

#[test]
fn lines_that_only_look_like_sql_are_none() {
    let log = "SELECT id FROM notes WHERE id = 1;\nINFO: UPDATE of the settings failed, will set them later\n\
               delete from the menu what you like\n";
    let outcome = judged(&[TOP, ("log/dev.log", log)]).unwrap();
    assert_eq!((outcome.report.statements.found, outcome.report.statements.refused), (1, 0));
}

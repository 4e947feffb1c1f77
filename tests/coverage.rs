//! How much of a program is judged: every text that looks like SQL is counted once, and listed with its reason.

#![cfg(test)]

use planlint::{
    report::{
        json,
        lists::{self, List},
    },
    run::{CheckRequest, Outcome, check},
};
use std::{fs, path::Path};

const SCHEMA: &str = "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT);\n";
const STORE: &str = "import sqlite3

def open(path):
    db = sqlite3.connect(path)
    db.execute(\"PRAGMA journal_mode = WAL\")
    return db

def read(db, column):
    db.execute(\"SELECT body FROM notes WHERE id = 1\")
    db.execute(\"SELECT nothing FROM notes\")
    db.execute(\"SELECT body FROM notes JOIN \" + column + \" USING (nothing)\")
    db.execute(\"SELECT body FROM notes FOR UPDATE\")
    print(\"select the best of notes\")
";

/// A program in two languages.
fn program(folder: &Path, config: &str) {
    let web = "export const all = (db) => db.prepare('SELECT id FROM notes').all();\n";
    let files = [("schema.sql", SCHEMA), ("store.py", STORE), ("web.ts", web), ("planlint.toml", config)];
    for (path, text) in files {
        fs::write(folder.join(path), text).unwrap();
    }
}

fn judged(config: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    program(folder.path(), config);
    check(&CheckRequest::new(folder.path())).unwrap()
}

#[test]
fn each_language_and_each_database_has_its_counts() {
    let outcome = judged("");
    let listed = lists::render(&outcome.listings(List::Coverage));
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = listed.lines().map(words).collect();
    assert_eq!(
        lines,
        [
            "language javascript 100 % 1 planned 0 dynamic 0 refused 0 foreign 0 others",
            "language python 33 % 1 planned 1 dynamic 1 refused 1 foreign 2 others",
            "language sql - 0 planned 0 dynamic 0 refused 0 foreign 1 others",
            "database main 66 % 2 planned 0 dynamic 1 refused 0 foreign",
            "database (none) 0 % 0 planned 1 dynamic 0 refused 1 foreign",
            "all 50 % 2 planned 1 dynamic 1 refused 1 foreign 3 others",
        ]
    );
    let text = outcome.to_string();
    assert!(
        text.contains("coverage: 50 % of the statements are planned: javascript 100 %, python 33 %"),
        "{text}"
    );
    let json = json::render(&outcome.report);
    assert!(
        json.contains("\"coverage\":{\"percent\":50,\"passes\":true,\"languages\":[{\"name\":\"javascript\""),
        "{json}"
    );
}

#[test]
fn what_is_no_statement_is_listed_with_its_reason() {
    let outcome = judged("");
    let others = lists::render(&outcome.listings(List::Others));
    for said in ["it makes schema", "it manages the connection", "it is no SQL"] {
        assert!(others.contains(said), "{others}");
    }
    let foreign = lists::render(&outcome.listings(List::Foreign));
    assert!(foreign.contains("FOR UPDATE") && foreign.lines().count() == 1, "{foreign}");
}

#[test]
fn too_little_coverage_fails_a_run_and_says_so() {
    let config = |least: u32| {
        format!("fail-on = \"error\"\nmin-coverage = {least}\n[rules]\nrefused-statement = \"note\"\n")
    };
    assert!(judged(&config(50)).passes());
    let outcome = judged(&config(51));
    assert!(!outcome.passes());
    let text = outcome.to_string();
    let said = "coverage is 50 %, below the 51 % that are asked for: of 4 statements 1 dynamic (--list dynamic) and 1 refused";
    assert!(text.replace("\n  ", " ").contains(said), "{text}");
}

#[test]
fn a_program_without_a_statement_covers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("planlint.toml"), "min-coverage = 1\n").unwrap();
    let outcome = check(&CheckRequest::new(folder.path())).unwrap();
    assert!(!outcome.passes());
}

#[test]
fn a_statement_on_a_computed_table_is_counted_where_no_schema_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let store = "package store\n\nfunc query() string {\n\treturn fmt.Sprintf(\"SELECT id, name FROM %s WHERE name = ?\", table)\n}\n";
    fs::write(folder.path().join("store.go"), store).unwrap();
    let outcome = check(&CheckRequest::new(folder.path())).unwrap();
    let listed = lists::render(&outcome.listings(List::Coverage));
    let all = listed.lines().last().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(all, "all 0 % 0 planned 1 dynamic 0 refused 0 foreign 0 others");
}

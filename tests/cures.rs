//! One index as the cure of several statements: where it serves all of them as well as their own would, and no further.

#![cfg(test)]

use planlint::run::{CheckRequest, check};
use std::{collections::BTreeSet, fs};

const CONFIGURATION: &str = "[[database]]\nname = \"main\"\nmigrations = [\"schema.sql\"]\nstatements = [\"queries.sql\"]\n\
                             growing = [\"*\"]\n";

/// The indexes that cure statements on a schema, each once.
fn indexes(schema: &str, queries: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [("planlint.toml", CONFIGURATION), ("schema.sql", schema), ("queries.sql", queries)] {
        fs::write(folder.path().join(path), text).unwrap();
    }
    let outcome = check(&CheckRequest::new(folder.path())).unwrap();
    let all = outcome.report.diagnostics.iter().flat_map(|one| &one.cures);
    all.map(|cure| cure.sql.clone()).collect()
}

fn set<const N: usize>(all: [&str; N]) -> BTreeSet<String> {
    all.map(str::to_owned).into_iter().collect()
}

#[test]
fn an_index_that_begins_with_the_columns_of_another_takes_its_place() {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c INTEGER, d TEXT);";
    let queries = "SELECT id FROM t WHERE a = ? AND b = ?;\nSELECT id FROM t WHERE b = ? AND a = ? AND c > ?;\n\
                   SELECT id FROM t WHERE a = ?;\n";
    assert_eq!(indexes(schema, queries), set(["CREATE INDEX t_a_b_c ON t (a, b, c)"]));
}

#[test]
fn an_index_by_which_a_statement_would_find_more_rows_takes_no_place() {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c INTEGER, d TEXT);";
    let queries =
        "SELECT id FROM t WHERE a = ? AND c > ?;\nSELECT id FROM t WHERE a = ? AND b = ? AND c > ?;\n";
    let both = set(["CREATE INDEX t_a_c ON t (a, c)", "CREATE INDEX t_a_b_c ON t (a, b, c)"]);
    assert_eq!(indexes(schema, queries), both);
}

#[test]
fn partial_and_wide_indexes_stay_what_they_are() {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT, d TEXT, e TEXT, f TEXT);";
    let queries = "SELECT id FROM t WHERE a = ? AND b = ? AND c = ? AND d = ? AND e = ?;\n\
                   SELECT id FROM t WHERE a = ?;\nSELECT id FROM t WHERE f IS NOT NULL;\n";
    let all = indexes(schema, queries);
    assert!(all.contains("CREATE INDEX t_a ON t (a)"), "{all:?}");
    assert!(all.iter().all(|sql| !sql.contains("f,") && !sql.contains(", f")), "{all:?}");
}

#[test]
fn no_two_indexes_have_one_name() {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, b_a TEXT);";
    let queries = "SELECT id FROM t WHERE a = ? AND b = ?;\nSELECT id FROM t WHERE b = ?;\nSELECT id FROM t WHERE b_a = ?;\n";
    let all = indexes(schema, queries);
    let names: BTreeSet<&str> = all.iter().filter_map(|sql| sql.split(' ').nth(2)).collect();
    assert_eq!((all.len(), names.len()), (2, 2), "{all:?}");
}

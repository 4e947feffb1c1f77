//! One index as the cure of several statements: where it serves all of them as well as their own would, and no further. An
//! index that slows one: where it is dropped.

#![cfg(test)]

use planlint::{
    report::Diagnostic,
    run::{CheckRequest, check},
};
use std::{collections::BTreeSet, fs};

const CONFIGURATION: &str = "[[database]]\nname = \"main\"\nmigrations = [\"schema.sql\"]\nstatements = [\"queries.sql\"]\n\
                             growing = [\"*\"]\n";

/// What is found of statements on a schema.
fn diagnostics(schema: &str, queries: &str) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [("planlint.toml", CONFIGURATION), ("schema.sql", schema), ("queries.sql", queries)] {
        fs::write(folder.path().join(path), text).unwrap();
    }
    check(&CheckRequest::new(folder.path())).unwrap().report.diagnostics
}

/// The indexes that cure statements on a schema, each once.
fn indexes(schema: &str, queries: &str) -> BTreeSet<String> {
    let all = diagnostics(schema, queries).into_iter().flat_map(|one| one.cures);
    all.map(|cure| cure.sql).collect()
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
fn what_is_seen_to_be_bound_is_what_a_partial_index_holds() {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, state TEXT NOT NULL, owner INTEGER NOT NULL);\n\
                  CREATE INDEX t_open ON t (owner) WHERE state IN ('new', 'open');";
    let rewrites = |bound: &str| -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let code = format!(
            "def find(db, owner, state, other):\n    \
             return db.execute('SELECT id FROM t WHERE owner = ? AND state IN (?, ?)', ({bound}))\n"
        );
        let configuration = CONFIGURATION.replace("statements = [\"queries.sql\"]\n", "");
        for (path, text) in [("planlint.toml", &*configuration), ("schema.sql", schema), ("find.py", &*code)]
        {
            fs::write(folder.path().join(path), text).unwrap();
        }
        let all = check(&CheckRequest::new(folder.path())).unwrap().report.diagnostics;
        let cures = all.into_iter().flat_map(|one| one.cures);
        cures.filter(|cure| cure.kind == "rewrite").map(|cure| cure.sql).collect()
    };
    let words = ["SELECT id FROM t WHERE owner = ? AND (state IN ('new', 'open')) AND state IN (?, ?)"];
    assert_eq!(rewrites("owner, state, other"), words);
    assert_eq!(rewrites("owner, 'new', 'open'"), words);
    assert_eq!(rewrites("owner, 'done', 'failed'"), Vec::<String>::new());
    assert_eq!(rewrites("owner, state, 'failed'"), Vec::<String>::new());
}

#[test]
fn no_two_indexes_have_one_name() {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, b_a TEXT);";
    let queries = "SELECT id FROM t WHERE a = ? AND b = ?;\nSELECT id FROM t WHERE b = ?;\nSELECT id FROM t WHERE b_a = ?;\n";
    let all = indexes(schema, queries);
    let names: BTreeSet<&str> = all.iter().filter_map(|sql| sql.split(' ').nth(2)).collect();
    assert_eq!((all.len(), names.len()), (2, 2), "{all:?}");
}

/// What `harmful-index` finds of two indexes and their statements.
fn harmful(queries: &str) -> Diagnostic {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, sent INTEGER NOT NULL, lost INTEGER NOT NULL);\n\
                  CREATE INDEX t_depot ON t (depot);\nCREATE INDEX t_state ON t (sent, lost);";
    diagnostics(schema, queries).into_iter().find(|one| one.rule == "harmful-index").unwrap()
}

#[test]
fn an_index_that_slows_a_statement_and_serves_none_is_dropped() {
    let found = harmful("SELECT id FROM t WHERE sent = 1 AND lost = 0 AND depot = ?;\n");
    let [cure] = found.cures.as_slice() else { panic!("{:?}", found.cures) };
    assert_eq!((cure.kind.as_str(), cure.sql.as_str()), ("drop_index", "DROP INDEX t_state"));
    assert_eq!(cure.plan, ["SEARCH t USING INDEX t_depot (depot=?)"]);
    assert_eq!(cure.class.as_deref(), Some("constant"));
    let [(few, first), (many, last)] = cure.measured.as_slice() else { panic!("{cure:?}") };
    assert!(few < many && *last < first * 2, "{cure:?}");
}

#[test]
fn an_index_that_serves_another_statement_is_not_dropped() {
    let served = "SELECT id FROM t WHERE sent = 1 AND lost = 0 AND depot = ?;\n\
                  SELECT count(*) FROM t WHERE sent = 0 AND lost = 0;\n";
    let found = harmful(served);
    assert!(found.help.is_some_and(|help| help.starts_with("It serves another statement.")));
    assert!(found.cures.iter().all(|cure| cure.kind != "drop_index"), "{:?}", found.cures);
}

#[test]
fn an_index_by_whose_key_another_statement_finds_its_rows_is_not_dropped_for_a_range() {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, sender TEXT NOT NULL, ends INTEGER NOT NULL);\n\
                  CREATE INDEX t_sender ON t (sender);\nCREATE INDEX t_owner ON t (owner);\nCREATE INDEX t_ends ON t (ends);";
    let served = "SELECT id FROM t WHERE owner = '' AND sender = ? AND ends >= ?;\n\
                  SELECT id FROM t WHERE owner = ? AND ends >= ?;\n";
    let all = diagnostics(schema, served);
    let found = all.iter().find(|one| one.rule == "harmful-index").unwrap();
    assert!(found.help.as_deref().is_some_and(|help| help.starts_with("It serves another statement.")));
    assert!(found.cures.iter().all(|cure| cure.kind != "drop_index"), "{:?}", found.cures);
}

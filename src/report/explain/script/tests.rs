//! What a script says, and in which order.

use super::*;

#[test]
fn what_is_kept_without_its_schema_is_given_one() {
    assert_eq!(within("main", "CREATE TABLE t(a)"), "CREATE TABLE t(a)");
    assert_eq!(within("temp", "CREATE TABLE t(a)"), "CREATE TABLE \"temp\".t(a)");
    assert_eq!(within("side", "CREATE UNIQUE INDEX i ON t(a)"), "CREATE UNIQUE INDEX \"side\".i ON t(a)");
}

#[test]
fn a_comment_does_not_hide_the_end() {
    let mut out = String::new();
    statement(&mut out, "SELECT 1 -- one");
    statement(&mut out, "SELECT 2;");
    assert_eq!(out, "SELECT 1 -- one\n;\nSELECT 2;\n");
}

#[test]
fn values_of_parameters_survive_the_shell() {
    let (objects, explained) = (Objects::default(), explained());
    let sample = Sample {
        rows: 1,
        text: "SELECT ?1".to_owned(),
        parameters: vec![("?1".to_owned(), "'{\"a\":\"\\'".to_owned())],
        ..Sample::default()
    };
    let script = Script {
        remarks: &[],
        objects: &objects,
        explained: &explained,
        sample: &sample,
        foreign_keys: false,
        statistics: Vec::new(),
    };
    assert!(script.text().contains(".parameter set ?1 \"'{\\\"a\\\":\\\"\\\\'\"\n"), "{}", script.text());
}

#[test]
fn changes_are_taken_back() {
    let explained = Explained { kind: StatementKind::Delete, ..explained() };
    let sample = Sample { text: "DELETE FROM t".to_owned(), ..Sample::default() };
    let objects = Objects::default();
    let script = Script {
        remarks: &[],
        objects: &objects,
        explained: &explained,
        sample: &sample,
        foreign_keys: true,
        statistics: Vec::new(),
    };
    let text = script.text();
    let order = ["PRAGMA foreign_keys = ON;", "BEGIN;", "DELETE FROM t;", "ROLLBACK;"];
    let places: Vec<Option<usize>> = order.iter().map(|part| text.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
}

fn explained() -> Explained {
    Explained {
        plan: crate::plan::Plan::default(),
        kind: StatementKind::Select,
        readonly: true,
        reads: Vec::new(),
        writes: Vec::new(),
        parameters: Vec::new(),
        columns: 1,
        functions: Vec::new(),
        tail: 0,
        compound: false,
        proven_constant: false,
        inserted: crate::schema::Inserted::default(),
    }
}

//! The facts as a database: filled, frozen, written out.

#![cfg(test)]

use planlint::facts::{Facts, FactsError};

fn one_source(facts: &Facts) -> Result<i64, FactsError> {
    facts.insert("source", [("path", &"src/db.rs"), ("language", &"rust"), ("role", &"production")])
}

#[test]
fn a_row_gets_an_id_and_can_be_read_back() {
    let facts = Facts::new().unwrap();
    let id = one_source(&facts).unwrap();
    facts.freeze().unwrap();
    let path: String = facts
        .connection()
        .query_row("SELECT path FROM source WHERE id = ?1", [id], |row| row.get(0))
        .unwrap();
    assert_eq!(path, "src/db.rs");
}

#[test]
fn a_word_outside_its_vocabulary_is_refused() {
    let facts = Facts::new().unwrap();
    let row: [(&str, &dyn rusqlite::ToSql); 2] = [("path", &"a.py"), ("role", &"prodution")];
    let refused = facts.insert("source", row).unwrap_err();
    assert!(refused.to_string().contains("CHECK constraint failed"), "{refused}");
}

#[test]
fn frozen_facts_take_no_more_rows_but_for_findings() {
    let facts = Facts::new().unwrap();
    facts.freeze().unwrap();
    assert!(one_source(&facts).is_err());
    facts
        .add(|facts| {
            let row: [(&str, &dyn rusqlite::ToSql); 3] =
                [("rule", &"a-rule"), ("severity", &"note"), ("message", &"m")];
            facts.insert("finding", row).map(|_| ())
        })
        .unwrap();
    assert!(one_source(&facts).is_err());
}

#[test]
fn facts_written_to_a_file_replace_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("facts.db");
    std::fs::write(&path, "not a database").unwrap();
    let facts = Facts::new().unwrap();
    one_source(&facts).unwrap();
    facts.freeze().unwrap();
    facts.write_to(&path).unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    let count: i64 = file.query_row("SELECT count(*) FROM source", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn every_table_view_and_column_is_explained() {
    for line in planlint::facts::SCHEMA.lines() {
        assert!(line.chars().count() <= 120, "too long for a reference: {line}");
    }
    for text in [planlint::facts::SCHEMA, planlint::facts::VOCABULARY] {
        let mut before = "";
        for line in text.lines() {
            if line.starts_with("CREATE ") {
                assert!(before.starts_with("--"), "no comment above: {line}");
            }
            before = line;
        }
    }
}

//! The vocabulary as rules see it: views, and tables in place of those that many of them go through. Knows neither
//! the views nor the rules.
//!
//! A view is evaluated anew, and compiled anew, by each rule that names it, and by each view that goes through it.

use super::VOCABULARY;
use crate::schema::sqlite;
use sqlite::Connection;
use std::{collections::BTreeSet, ffi::CStr};

const KEPT: &str = include_str!("kept.sql");

/// Gives a connection the vocabulary, before there are rows. An index on a view that is none is an error, as a view that is
/// none would be.
pub(super) fn create(connection: &Connection) -> sqlite::Result<()> {
    let mut indexes: Vec<(&str, &str)> = indexes().collect();
    for (name, select) in vocabulary() {
        if indexes.iter().any(|(view, _)| *view == name) {
            let columns = columns(connection, select)?;
            connection.execute_batch(&format!("CREATE TABLE {name} ({columns})"))?;
        } else {
            connection.execute_batch(&format!("CREATE VIEW {name} AS {select}"))?;
        }
        for (_, index) in indexes.extract_if(.., |(view, _)| *view == name) {
            connection.execute_batch(index)?;
        }
    }
    indexes.into_iter().try_for_each(|(_, index)| connection.execute_batch(index))?;
    // Compiled now, when nobody waits for it.
    insertions().try_for_each(|sql| connection.prepare_cached(&sql).map(drop))
}

/// Fills the tables in the place of views, over facts that change no more but for findings.
pub(super) fn fill(connection: &Connection) -> sqlite::Result<()> {
    insertions().try_for_each(|sql| connection.prepare_cached(&sql)?.execute([]).map(drop))
}

/// Makes the vocabulary what it is in the contract: views alone.
pub(super) fn unfill(connection: &Connection) -> sqlite::Result<()> {
    let kept = kept();
    for (name, _) in vocabulary() {
        let kind = if kept.contains(name) { "TABLE" } else { "VIEW" };
        connection.execute_batch(&format!("DROP {kind} {name}"))?;
    }
    connection.execute_batch(VOCABULARY)
}

/// The views of the vocabulary, by name, each with its SELECT.
fn vocabulary() -> impl Iterator<Item = (&'static str, &'static str)> {
    VOCABULARY.split("\nCREATE VIEW ").skip(1).filter_map(|view| view.split_once(" AS\n"))
}

/// The indexes, by what they stand on.
fn indexes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let indexed = |sql: &'static str| Some((sql.split_once(" ON ")?.1.split_once(" (")?.0, sql));
    KEPT.split_inclusive(';').filter_map(indexed)
}

/// The views that are tables.
fn kept() -> BTreeSet<&'static str> {
    indexes().map(|(view, _)| view).collect()
}

/// What fills them, in an order in which each finds those that it needs.
fn insertions() -> impl Iterator<Item = String> {
    let kept = kept();
    let views = vocabulary().filter(move |(name, _)| kept.contains(name));
    views.map(|(name, select)| format!("INSERT INTO {name} {select}"))
}

/// The columns of a SELECT, each of the type and the collation of the column that it comes from: `CREATE TABLE AS`
/// forgets one of them, and an index serves no comparison without both.
fn columns(connection: &Connection, select: &str) -> sqlite::Result<String> {
    let statement = connection.prepare(select)?;
    let mut columns = Vec::new();
    for (index, name) in statement.column_names().enumerate() {
        let origin = statement.column_metadata(index)?;
        let (kind, collation) = origin.map_or((None, None), |origin| (origin.3, origin.4));
        let kind = kind.map_or("".into(), CStr::to_string_lossy);
        let collation = collation.map_or("BINARY".into(), CStr::to_string_lossy);
        columns.push(format!("\"{name}\" {kind} COLLATE {collation}"));
    }
    Ok(columns.join(", "))
}

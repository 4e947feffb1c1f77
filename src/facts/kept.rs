//! The vocabulary as rules see it: views, and tables in place of those that many of them go through. Knows neither
//! the views nor the rules.
//!
//! A view is evaluated anew, and compiled anew, by each rule that names it, and by each view that goes through it.

use super::{FactsError, VOCABULARY};
use crate::schema::sqlite;
use sqlite::Connection;
use std::ffi::CStr;

const KEPT: &str = include_str!("kept.sql");

/// Gives a connection the vocabulary, over facts that change no more but for findings. An index on a view that is none
/// is an error, as a view that is none would be.
pub(super) fn create(connection: &Connection) -> Result<(), FactsError> {
    let mut indexes: Vec<(&str, &str)> = KEPT.split_inclusive(';').filter_map(indexed).collect();
    for (name, select) in
        VOCABULARY.split("\nCREATE VIEW ").skip(1).filter_map(|view| view.split_once(" AS\n"))
    {
        if !indexes.iter().any(|(view, _)| *view == name) {
            connection.execute_batch(&format!("CREATE TEMP VIEW {name} AS {select}"))?;
            continue;
        }
        connection.execute_batch(&format!("CREATE TEMP TABLE {name} ({})", columns(connection, select)?))?;
        connection.execute_batch(&format!("INSERT INTO temp.{name} {select}"))?;
        for (_, index) in indexes.extract_if(.., |(view, _)| *view == name) {
            connection.execute_batch(index)?;
        }
    }
    indexes.into_iter().try_for_each(|(_, index)| Ok(connection.execute_batch(index)?))
}

/// What an index stands on, and its statement.
fn indexed(statement: &str) -> Option<(&str, &str)> {
    Some((statement.split_once(" ON ")?.1.split_once(" (")?.0, statement))
}

/// The columns of a SELECT, each of the type and the collation of the column that it comes from: `CREATE TABLE AS`
/// forgets one of them, and an index serves no comparison without both.
fn columns(connection: &Connection, select: &str) -> Result<String, FactsError> {
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

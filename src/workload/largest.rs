//! Statements that want the largest text of a column, and the values that are known to be written there: '9' is larger
//! than '10'. The values are those that migrations leave, and those that an INSERT writes whose values are literals: it
//! is run, and taken back. Knows no rule.

use super::{Database, Statement};
use crate::{
    extract::{
        Extraction,
        names::{Clause, maxima},
    },
    schema::{Affinity, StatementKind, WriteAction},
    source::Site,
};

/// A statement that wants the largest value of a column of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Largest {
    /// The statement, by its place among all.
    pub statement: usize,
    /// Its database.
    pub database: usize,
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
}

/// A value that is written to such a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenText {
    /// The database.
    pub database: usize,
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The text.
    pub value: String,
    /// The statement that writes it; `None` for what migrations leave.
    pub site: Option<Site>,
}

/// The statements that want a largest text, and what is known to be written to their columns.
pub fn largest(
    extraction: &Extraction,
    databases: &mut [Database],
    statements: &[Statement],
) -> (Vec<Largest>, Vec<WrittenText>) {
    let wanting: Vec<Largest> = statements
        .iter()
        .enumerate()
        .flat_map(|(at, one)| {
            columns(databases, one).into_iter().map(move |(database, table, column)| Largest {
                statement: at,
                database,
                table,
                column,
            })
        })
        .collect();
    let mut asked: Vec<(usize, &str, &str)> =
        wanting.iter().map(|one| (one.database, one.table.as_str(), one.column.as_str())).collect();
    asked.sort_unstable();
    asked.dedup();
    let mut written = Vec::new();
    for (database, table, column) in asked {
        let Some(live) = databases.get_mut(database).map(|one| &mut one.variant.live) else { continue };
        let mut add = |value: String, site: Option<Site>| {
            let (table, column) = (table.to_owned(), column.to_owned());
            written.push(WrittenText { database, table, column, value, site });
        };
        let Ok(mut workshop) = live.workshop() else { continue };
        for value in workshop.texts(table, column) {
            add(value, None);
        }
        drop(workshop);
        let inserts = statements.iter().filter(|one| one.database() == Some(database) && inserts(one, table));
        for one in inserts {
            let Some(values) = values(extraction, one) else { continue };
            let Ok(mut workshop) = live.workshop() else { continue };
            let texts = workshop.texts_after(one.text.as_str(), &values, table, column);
            for value in texts {
                add(value, Some(one.site));
            }
        }
    }
    (wanting, written)
}

/// The columns of text of which a statement wants the largest value: by `max()`, or as the first one of the greatest
/// down.
fn columns(databases: &[Database], statement: &Statement) -> Vec<(usize, String, String)> {
    let (Some(database), Some(explained)) = (statement.database(), statement.explained()) else {
        return Vec::new();
    };
    if explained.kind != StatementKind::Select {
        return Vec::new();
    }
    let mut names = maxima(statement.text.as_str());
    if let Some(read) = statement.names.as_ref().filter(|names| names.limit) {
        let order = read.predicates.iter().find(|one| one.clause == Clause::OrderBy);
        let first = order.filter(|one| one.operator == "DESC" && one.wrapper.is_none());
        names.extend(first.map(|one| one.column.clone()));
    }
    let objects = databases.get(database).map(|database| &database.variant.objects);
    let is_text = |table: &str, column: &str| {
        let table = objects.and_then(|objects| objects.table("main", table));
        table.is_some_and(|table| {
            table
                .columns
                .iter()
                .any(|one| one.name.eq_ignore_ascii_case(column) && one.affinity == Affinity::Text)
        })
    };
    let of = |name: &String| {
        let mut reads = explained.reads.iter().filter(|read| {
            read.schema == "main" && read.through.is_none() && read.column.eq_ignore_ascii_case(name)
        });
        let (only, other) = (reads.next()?, reads.next());
        (other.is_none() && is_text(&only.table, &only.column))
            .then(|| (database, only.table.clone(), only.column.clone()))
    };
    names.iter().filter_map(of).collect()
}

fn inserts(statement: &Statement, table: &str) -> bool {
    let writes = statement.explained().map_or(&[][..], |explained| &explained.writes);
    writes.iter().any(|write| {
        write.action == WriteAction::Insert
            && write.through.is_none()
            && write.schema == "main"
            && write.table.eq_ignore_ascii_case(table)
    })
}

/// The values of a statement's parameters, where all are literals.
fn values(extraction: &Extraction, statement: &Statement) -> Option<Vec<String>> {
    let parameters = &statement.explained()?.parameters;
    if statement.holes > 0 {
        return None;
    }
    let bound = &extraction.literals.get(statement.literal)?.run.literals;
    let value = |(at, name): (usize, &Option<String>)| {
        let bare = |name: &str| name.trim_start_matches([':', '@', '$']).to_owned();
        let named = |one: &&(u32, Option<String>, String)| {
            one.1.as_deref().map(bare) == name.as_deref().map(bare) && name.is_some()
        };
        let placed = |one: &&(u32, Option<String>, String)| one.1.is_none() && one.0 as usize == at;
        let found = bound.iter().find(named).or_else(|| bound.iter().find(placed))?;
        Some(found.2.clone())
    };
    parameters.iter().enumerate().map(value).collect()
}

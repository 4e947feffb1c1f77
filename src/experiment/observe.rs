//! What is in a database at one moment, as far as an experiment compares it: rows, sequences, references, views.

use super::seeds;
use crate::schema::{Live, Objects, Table, TableKind, qualified, quoted, quoted_text, sqlite::types::Value};
use std::collections::{BTreeMap, BTreeSet};

/// The most rows of a table that are read.
const ROWS: usize = 500;

/// A database at one moment.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub objects: Objects,
    /// The tables, by their names in lower case.
    pub tables: BTreeMap<String, Content>,
    /// The highest number that AUTOINCREMENT gave, by table in lower case.
    pub sequences: BTreeMap<String, i64>,
    /// By table, those to which rows of it refer that are not there, in lower case.
    pub orphans: BTreeMap<String, BTreeSet<String>>,
    /// What SQLite says of views that do not compile.
    pub broken: BTreeMap<String, String>,
    /// What it says of the integrity of the tables behind a unit; empty where all is well.
    pub damage: BTreeSet<String>,
}

/// The rows of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    /// The name, as it is spelt.
    pub name: String,
    /// The names of the columns, in lower case.
    pub columns: Vec<String>,
    /// The rowids, where they are no column.
    pub rowids: Vec<i64>,
    /// The rows, each value as text; `None` for NULL.
    pub rows: Vec<Vec<Option<String>>>,
    /// How many there are.
    pub count: usize,
}

impl Content {
    /// The values of a column, row by row.
    pub fn column(&self, column: &str) -> Vec<Option<&str>> {
        let Some(at) = self.columns.iter().position(|name| name == column) else { return Vec::new() };
        self.rows.iter().map(|row| row.get(at).and_then(|value| value.as_deref())).collect()
    }

    /// Whether a column holds what another one held before: in the same rows or, if no two columns share values, in any.
    pub fn holds(&self, column: &str, before: &Self, other: &str) -> bool {
        let (has, had) = (self.column(column), before.column(other));
        let is_same = !had.is_empty() && has.starts_with(&had) && had.iter().any(Option::is_some);
        let (all, sought) = (self.values(column), before.values(other));
        let is_own = before.columns.iter().all(|one| one == other || before.values(one).is_disjoint(&sought));
        is_same || (is_own && !sought.is_empty() && sought.is_subset(&all))
    }

    /// The values of a column, without NULLs.
    pub fn values(&self, column: &str) -> BTreeSet<&str> {
        let Some(at) = self.columns.iter().position(|name| name == column) else { return BTreeSet::new() };
        self.rows.iter().filter_map(|row| row.get(at)?.as_deref()).collect()
    }
}

/// What SQLite says of the integrity of some tables; empty where all is well.
pub(super) fn damage(live: &mut Live, tables: &BTreeSet<String>) -> BTreeSet<String> {
    let mut damage = BTreeSet::new();
    for table in tables {
        let sql = format!("PRAGMA main.integrity_check({})", quoted_text(table));
        let said = live.ask(&sql, ROWS).unwrap_or_default();
        damage.extend(said.into_iter().flatten().filter_map(|value| match value {
            Value::Text(text) if text != "ok" => Some(text),
            _ => None,
        }));
    }
    damage
}

/// Reads all of these tables, and what is known of the whole.
pub(super) fn observe(live: &mut Live, objects: Objects, tables: &BTreeSet<String>) -> State {
    let mut state = State::default();
    for table in objects.tables.iter().filter(|table| table.schema == "main" && is_ordinary(table)) {
        let name = table.name.to_lowercase();
        if tables.contains(&name) {
            state.tables.insert(name, content(live, table));
        }
    }
    if objects.tables.iter().any(|table| table.autoincrement) {
        for row in live.ask("SELECT name, seq FROM main.sqlite_sequence", usize::MAX).unwrap_or_default() {
            if let [Value::Text(name), Value::Integer(highest)] = row.as_slice() {
                state.sequences.insert(name.to_lowercase(), *highest);
            }
        }
    }
    let children: BTreeSet<String> =
        objects.foreign_keys.iter().map(|key| key.table.to_lowercase()).collect();
    for child in children.into_iter().filter(|child| tables.contains(child)) {
        if let Some(parents) = live.orphans(&child) {
            state.orphans.insert(child, parents.into_iter().map(|parent| parent.to_lowercase()).collect());
        }
    }
    for view in objects.views.iter().filter(|view| view.schema == "main") {
        if let Some(message) = live.breaks(&view.schema, &view.name) {
            state.broken.insert(view.name.clone(), message);
        }
    }
    state.objects = objects;
    state
}

pub(super) fn is_ordinary(table: &Table) -> bool {
    table.kind == TableKind::Ordinary && !table.name.starts_with("sqlite_")
}

fn content(live: &mut Live, table: &Table) -> Content {
    let columns: Vec<&str> = seeds::columns(table).map(|column| column.name.as_str()).collect();
    let has_rowid = seeds::has_hidden_rowid(table);
    let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
    let from = qualified("main", &table.name);
    let rowid = if has_rowid { "rowid" } else { "0" };
    let sql = format!("SELECT {rowid}, {} FROM {from} ORDER BY 1", names.join(", "));
    let found = live.ask(&sql, ROWS).unwrap_or_default();
    let mut content = Content { name: table.name.clone(), ..Content::default() };
    content.columns = columns.iter().map(|name| name.to_lowercase()).collect();
    content.count = found.len();
    for row in found {
        let mut values = row.into_iter();
        if let (Some(Value::Integer(rowid)), true) = (values.next(), has_rowid) {
            content.rowids.push(rowid);
        }
        content.rows.push(values.map(text).collect());
    }
    content
}

/// A value as text: one number is one text, whichever type the column makes of it.
fn text(value: Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Integer(number) => number.to_string(),
        Value::Real(number) if number.fract() == 0.0 && number.abs() < 1e15 => (number as i64).to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text,
        Value::Blob(bytes) => {
            String::from_utf8(bytes).unwrap_or_else(|error| format!("{:?}", error.as_bytes()))
        }
    })
}

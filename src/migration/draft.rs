//! A schema that code declares in words of its own, step by step, as tools have it that make the SQL: its tables, their columns and
//! indexes as they are in the end. Knows no tool.

use crate::{
    extract::text::Text,
    source::{Site, Source, SourceId, Words},
};
use std::fmt::Write as _;

/// Whether code speaks of SQLite: what builds schemas is mostly for other systems as well.
pub(super) fn speaks_of_sqlite(source: &Source) -> bool {
    static SQLITE: Words<'_> = Words::new(&["sqlite", "Sqlite", "SQLite"]);
    source.has_any(&SQLITE)
}

/// A place in the code: the file, and the byte.
pub(super) type Place = (SourceId, u32);

/// A schema.
#[derive(Debug, Default)]
pub(super) struct Draft {
    tables: Vec<Table>,
    /// What is made besides, each with its name, behind all tables.
    others: Vec<(String, String, Place)>,
}

/// A table.
#[derive(Debug)]
pub(super) struct Table {
    name: String,
    place: Place,
    columns: Vec<Column>,
    /// The columns of its primary key, where it has several.
    primary: Vec<String>,
    /// The columns of each UNIQUE constraint.
    unique: Vec<Vec<String>>,
    /// The columns of each foreign key, the table that it refers to, and the columns there.
    references: Vec<(Vec<String>, String, Vec<String>)>,
    indexes: Vec<Index>,
}

/// A column.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    pub name: String,
    /// Its type, as SQL.
    pub kind: String,
    pub is_needed: bool,
    /// As SQL.
    pub default: Option<String>,
    pub is_key: bool,
    /// Whether its numbers are given one after the other.
    pub counts: bool,
    pub is_unique: bool,
    /// The table and the column that it refers to; that is empty where it is the primary key.
    pub refers_to: Option<(String, String)>,
}

/// An index.
#[derive(Debug, Clone)]
pub(super) struct Index {
    pub name: String,
    /// Each column, and whether it is ordered from its end on.
    pub columns: Vec<(String, bool)>,
    pub is_unique: bool,
    /// Which rows it holds, as SQL; all where there is none.
    pub predicate: Option<String>,
    pub place: Place,
}

impl Draft {
    /// A new table, without columns; the one of that name, where it is there already.
    pub fn create(&mut self, name: &str, place: Place) -> Option<&mut Table> {
        if self.table(name).is_none() {
            let (primary, unique, references) = (Vec::new(), Vec::new(), Vec::new());
            let (name, columns, indexes) = (name.to_owned(), Vec::new(), Vec::new());
            self.tables.push(Table { name, place, columns, primary, unique, references, indexes });
        }
        self.table(name)
    }

    pub fn table(&mut self, name: &str) -> Option<&mut Table> {
        self.tables.iter_mut().find(|table| same(&table.name, name))
    }

    pub fn drop(&mut self, name: &str) {
        self.tables.retain(|table| !same(&table.name, name));
        self.others.retain(|(other, ..)| !same(other, name));
    }

    /// Gives a table another name, also where others refer to it.
    pub fn rename(&mut self, name: &str, to: &str) {
        let set = |one: &mut String| set(one, name, to);
        for table in &mut self.tables {
            set(&mut table.name);
            table.references.iter_mut().for_each(|(_, other, _)| set(other));
            table
                .columns
                .iter_mut()
                .filter_map(|one| one.refers_to.as_mut())
                .for_each(|(other, _)| set(other));
        }
    }

    /// Drops an index, wherever it is.
    pub fn drop_index(&mut self, name: &str) {
        for table in &mut self.tables {
            table.indexes.retain(|index| !same(&index.name, name));
        }
    }

    /// Gives an index another name.
    pub fn rename_index(&mut self, name: &str, to: &str) {
        let indexes = self.tables.iter_mut().flat_map(|table| &mut table.indexes);
        indexes.for_each(|index| set(&mut index.name, name, to));
    }

    /// Adds what is no table of its own: a virtual table, as SQL.
    pub fn add(&mut self, name: &str, sql: String, place: Place) {
        self.others.retain(|(other, ..)| !same(other, name));
        self.others.push((name.to_owned(), sql, place));
    }

    /// What makes it, with the place of its first table and what it is called; `None` where it has none.
    pub fn declared(self, name: String) -> Option<(Site, String, Text)> {
        let (source, start) = self.tables.first()?.place;
        Some((Site { source, start, end: start + 1 }, name, self.text()))
    }

    fn text(&self) -> Text {
        let mut text = Text::default();
        for table in self.tables.iter().filter(|table| !table.columns.is_empty()) {
            text.push_at(&format!("{};\n", table.sql()), table.place.0, table.place.1);
            for index in &table.indexes {
                text.push_at(&format!("{};\n", index.sql(&table.name)), index.place.0, index.place.1);
            }
        }
        for (_, sql, (source, offset)) in &self.others {
            text.push_at(&format!("{sql};\n"), *source, *offset);
        }
        text
    }
}

impl Table {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a column, or puts it in the place of the one of its name.
    pub fn put(&mut self, column: Column) {
        match self.columns.iter_mut().find(|one| same(&one.name, &column.name)) {
            Some(one) => *one = column,
            None => self.columns.push(column),
        }
    }

    /// Drops a column, with all that names it.
    pub fn drop(&mut self, name: &str) {
        let names = |columns: &[String]| columns.iter().any(|one| same(one, name));
        self.columns.retain(|column| !same(&column.name, name));
        self.indexes.retain(|index| !index.columns.iter().any(|(one, _)| same(one, name)));
        self.unique.retain(|columns| !names(columns));
        if names(&self.primary) {
            self.primary.clear();
        }
        self.references.retain(|(columns, ..)| !names(columns));
    }

    pub fn rename(&mut self, name: &str, to: &str) {
        let set = |one: &mut String| set(one, name, to);
        self.columns.iter_mut().for_each(|column| set(&mut column.name));
        self.indexes.iter_mut().flat_map(|index| &mut index.columns).for_each(|(one, _)| set(one));
        self.unique.iter_mut().flatten().chain(&mut self.primary).for_each(set);
        self.references.iter_mut().flat_map(|(columns, ..)| columns).for_each(set);
    }

    /// Adds an index, in the place of the one of its name. One of a single column may be a constraint of that.
    pub fn index(&mut self, index: Index) {
        self.indexes.retain(|one| !same(&one.name, &index.name));
        if !index.columns.is_empty() {
            self.indexes.push(index);
        }
    }

    /// Drops the index, or the UNIQUE constraint, of these columns.
    pub fn drop_index_of(&mut self, columns: &[String]) {
        let is_it = |own: &mut dyn Iterator<Item = &String>| {
            let own: Vec<&String> = own.collect();
            own.len() == columns.len() && own.iter().zip(columns).all(|(one, other)| same(one, other))
        };
        self.indexes.retain(|index| !is_it(&mut index.columns.iter().map(|(one, _)| one)));
        self.unique.retain(|own| !is_it(&mut own.iter()));
        if let ([name], own) = (columns, &mut self.columns) {
            own.iter_mut().filter(|one| same(&one.name, name)).for_each(|one| one.is_unique = false);
        }
    }

    pub fn unique(&mut self, columns: Vec<String>) {
        if !columns.is_empty() {
            self.unique.push(columns);
        }
    }

    pub fn primary(&mut self, columns: Vec<String>) {
        self.primary = columns;
    }

    pub fn refer(&mut self, columns: Vec<String>, table: &str, to: Vec<String>) {
        if !columns.is_empty() {
            self.references.push((columns, table.to_owned(), to));
        }
    }

    fn sql(&self) -> String {
        let keys = self.columns.iter().filter(|column| column.is_key).count();
        let has_own = keys == 1 && self.primary.is_empty();
        let mut parts: Vec<String> = self.columns.iter().map(|column| column.sql(has_own)).collect();
        let primary: Vec<String> = if self.primary.is_empty() && keys > 1 {
            self.columns.iter().filter(|column| column.is_key).map(|column| column.name.clone()).collect()
        } else {
            self.primary.clone()
        };
        if !primary.is_empty() {
            parts.push(format!("PRIMARY KEY ({})", listed(&primary)));
        }
        parts.extend(self.unique.iter().map(|columns| format!("UNIQUE ({})", listed(columns))));
        parts.extend(self.references.iter().map(|(columns, table, to)| {
            let to = if to.is_empty() { String::new() } else { format!(" ({})", listed(to)) };
            format!("FOREIGN KEY ({}) REFERENCES {}{to}", listed(columns), quoted(table))
        }));
        format!("CREATE TABLE {} ({})", quoted(&self.name), parts.join(", "))
    }
}

impl Column {
    fn sql(&self, has_own_key: bool) -> String {
        let is_key = self.is_key && has_own_key;
        // What SQLite does not read as a type is left out.
        let is_sign = |one: char| one.is_alphanumeric() || "_ ,()".contains(one);
        let is_type = !self.kind.contains("()") && self.kind.chars().all(is_sign);
        let kind = if is_key && self.counts { "INTEGER" } else { &self.kind };
        let kind = if is_type { kind } else { "" };
        let mut sql = format!("{} {kind}", quoted(&self.name));
        sql.push_str(if self.is_needed { " NOT NULL" } else { "" });
        sql.push_str(match (is_key, self.counts) {
            (true, true) => " PRIMARY KEY AUTOINCREMENT",
            (true, false) => " PRIMARY KEY",
            _ => "",
        });
        sql.push_str(if self.is_unique { " UNIQUE" } else { "" });
        if let Some(default) = &self.default {
            let _ = write!(sql, " DEFAULT {default}");
        }
        if let Some((table, column)) = self.refers_to.as_ref().filter(|(table, _)| !table.is_empty()) {
            let _ = write!(sql, " REFERENCES {}", quoted(table));
            if !column.is_empty() {
                let _ = write!(sql, " ({})", quoted(column));
            }
        }
        sql
    }
}

impl Index {
    fn sql(&self, table: &str) -> String {
        let column = |(name, is_from_end): &(String, bool)| {
            format!("{}{}", quoted(name), if *is_from_end { " DESC" } else { "" })
        };
        let columns: Vec<String> = self.columns.iter().map(column).collect();
        let unique = if self.is_unique { "UNIQUE " } else { "" };
        let (name, table) = (quoted(&self.name), quoted(table));
        let rows = self.predicate.as_ref().map(|rows| format!(" WHERE {rows}")).unwrap_or_default();
        format!("CREATE {unique}INDEX {name} ON {table} ({}){rows}", columns.join(", "))
    }
}

/// Whether two names of SQL are one.
fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Gives what has a name another one.
fn set(one: &mut String, name: &str, to: &str) {
    if same(one, name) {
        to.clone_into(one);
    }
}

/// A name as SQL has it in quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

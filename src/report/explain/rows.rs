//! What a migration does to rows, for people: the rows before and behind it, and a script for the sqlite3 shell that shows
//! the same. Writes down; runs nothing.

use super::script::statement;
use crate::{
    experiment::show::{Shown, ShownTable},
    schema::quoted,
};
use std::fmt::Write as _;

/// The most rows of a table in one line.
const ROWS: usize = 6;

/// The rows before and behind a migration, a line each. Of a table that is as it was, nothing is said.
pub fn lines(shown: &Shown) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(failure) = &shown.failure {
        lines.push(format!("`{}` fails on these rows: {failure}", shown.name));
    }
    let find = |all: &'_ [ShownTable], name: &str| {
        all.iter().find(|table| table.name.eq_ignore_ascii_case(name)).cloned()
    };
    for table in &shown.before {
        let after = find(&shown.after, &table.name);
        if after.as_ref() == Some(table) && shown.failure.is_none() {
            continue;
        }
        lines.push(format!("before, {}", line(table)));
        if shown.failure.is_some() {
            continue;
        }
        lines.push(after.map_or_else(
            || format!("behind, there is no {}", table.name),
            |after| format!("behind, {}", line(&after)),
        ));
    }
    for table in &shown.after {
        if find(&shown.before, &table.name).is_none() {
            lines.push(format!("new, {}", line(table)));
        }
    }
    if lines.is_empty() {
        lines.push(format!("`{}` leaves the rows of all tables as they were", shown.name));
    }
    lines
}

fn line(table: &ShownTable) -> String {
    let rows: Vec<String> = table.rows.iter().take(ROWS).map(|row| format!("({})", row.join(", "))).collect();
    let more = table.rows.len().saturating_sub(ROWS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let rows = if rows.is_empty() { "no rows".to_owned() } else { rows.join(" ") };
    format!("{} ({}): {rows}{more}", table.name, table.columns.join(", "))
}

/// The script: the schema before the migration, rows, the migration as its runner runs it, and the rows behind it.
pub fn script(shown: &Shown) -> String {
    // Here and below: writing to a string never fails.
    let mut out = String::new();
    let _ = writeln!(
        out,
        "-- What {} does to rows. They are made up: each value tells its column and its row.",
        shown.name
    );
    out.push_str("-- Run it with: sqlite3 :memory: < this file\n\nPRAGMA foreign_keys = OFF;\n");
    for sql in &shown.schema.0 {
        statement(&mut out, sql);
    }
    for table in shown.before.iter().filter(|table| !table.rows.is_empty()) {
        let columns: Vec<String> = table.columns.iter().map(|column| quoted(column)).collect();
        let rows: Vec<String> = table.rows.iter().map(|row| format!("  ({})", row.join(", "))).collect();
        let (name, columns, rows) = (quoted(&table.name), columns.join(", "), rows.join(",\n"));
        let _ = writeln!(out, "INSERT INTO {name} ({columns}) VALUES\n{rows};");
    }
    for (table, highest) in &shown.sequences {
        let table = table.replace('\'', "''");
        let _ = writeln!(out, "UPDATE sqlite_sequence SET seq = {highest} WHERE name = '{table}';");
    }
    for sql in &shown.schema.1 {
        statement(&mut out, sql);
    }
    let _ = writeln!(out, "PRAGMA foreign_keys = {};\n", if shown.foreign_keys { "ON" } else { "OFF" });
    rows(&mut out, "before", &shown.before);
    out.push_str(".print -- the migration\n");
    if shown.wrapped {
        out.push_str("BEGIN;\n");
    }
    for part in &shown.parts {
        statement(&mut out, part);
    }
    if shown.wrapped {
        out.push_str("COMMIT;\n");
    }
    out.push('\n');
    rows(&mut out, "behind", if shown.failure.is_some() { &shown.before } else { &shown.after });
    out.push_str("PRAGMA foreign_key_check;\nPRAGMA integrity_check;\n");
    out
}

fn rows(out: &mut String, when: &str, tables: &[ShownTable]) {
    let _ = writeln!(out, ".print -- {when}\n.mode quote");
    for table in tables {
        let columns: Vec<String> = table.columns.iter().map(|column| quoted(column)).collect();
        let (name, columns) = (quoted(&table.name), columns.join(", "));
        let _ = writeln!(out, ".print {}\nSELECT {columns} FROM {name};", table.name);
    }
}

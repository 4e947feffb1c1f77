//! What a migration does to rows, for people: the rows before and behind it, and a script for the sqlite3 shell that shows
//! the same. Writes down; runs nothing.

use crate::{
    experiment::show::{Shown, ShownTable},
    schema::{Kind, quoted, quoted_text, same},
    shell::{on_one_line, remark, statement},
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
    for table in &shown.before {
        let after = find(&shown.after, &table.name);
        if after == Some(table) && shown.failure.is_none() {
            continue;
        }
        lines.push(format!("before, {}", line(table)));
        if shown.failure.is_some() {
            continue;
        }
        lines.push(after.map_or_else(
            || format!("after, there is no {}", table.name),
            |after| format!("after, {}", line(after)),
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

fn find<'a>(all: &'a [ShownTable], name: &str) -> Option<&'a ShownTable> {
    all.iter().find(|table| same(&table.name, name))
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
    let mut out = String::new();
    let about = "They are made up: each value tells its column and its row.";
    remark(&mut out, &format!("What {} does to rows. {about}", shown.name));
    out.push_str("-- Run it with: sqlite3 -safe :memory: < this file\n\nPRAGMA foreign_keys = OFF;\n");
    for sql in &shown.schema.0 {
        statement(&mut out, sql);
    }
    for table in shown.before.iter().filter(|table| !table.rows.is_empty()) {
        let columns: Vec<String> = table.columns.iter().map(|column| quoted(column)).collect();
        let rows: Vec<String> = table.rows.iter().map(|row| format!("  ({})", row.join(", "))).collect();
        let (name, columns, rows) = (quoted(&table.name), columns.join(", "), rows.join(",\n"));
        statement(&mut out, &format!("INSERT INTO {name} ({columns}) VALUES\n{rows}"));
    }
    for (table, highest) in &shown.sequences {
        let table = quoted_text(table);
        statement(&mut out, &format!("UPDATE sqlite_sequence SET seq = {highest} WHERE name = {table}"));
    }
    for sql in &shown.schema.1 {
        statement(&mut out, sql);
    }
    let keys = if shown.foreign_keys { "ON" } else { "OFF" };
    statement(&mut out, &format!("PRAGMA foreign_keys = {keys}"));
    out.push('\n');
    rows(&mut out, "before", &shown.before);
    out.push_str(".print -- foreign keys that find nothing before, since no row was made up for them\nPRAGMA foreign_key_check;\n");
    migration(&mut out, shown);
    if shown.failure.is_none() {
        out.push('\n');
        rows(&mut out, "after", &shown.after);
        out.push_str(".print -- foreign keys that find nothing after\nPRAGMA foreign_key_check;\n");
        out.push_str(".print -- integrity\nPRAGMA integrity_check;\n");
    }
    out
}

/// The migration. Nothing runs behind what fails, so that this comes last.
fn migration(out: &mut String, shown: &Shown) {
    out.push_str(".print -- the migration\n-- The shell ends at the first statement that fails.\n.bail on\n");
    if shown.wrapped {
        out.push_str("BEGIN;\n");
    }
    let failing = if shown.commits { None } else { shown.statements.len().checked_sub(1) };
    for (index, one) in shown.statements.iter().enumerate() {
        if one.is_passed {
            remark(out, &format!("Left out, for it fails without rows, too: {}", one.sql));
            continue;
        }
        if failing == Some(index) {
            before_failure(out, shown);
        }
        statement(out, &one.sql);
    }
    if shown.commits {
        before_failure(out, shown);
        out.push_str("COMMIT;\n");
    }
}

/// What can be shown no more behind the statement that fails, if one does: the rows that stay.
fn before_failure(out: &mut String, shown: &Shown) {
    let Some(failure) = &shown.failure else { return };
    let takes_back =
        shown.wrapped || shown.statements.iter().any(|one| Kind::of(&one.sql) == Kind::Transaction);
    if takes_back {
        remark(out, "What the transaction did is taken back with it: the rows are as before.");
    } else {
        rows(out, "what stays of it", &shown.after);
    }
    remark(out, &format!("This fails: {failure}"));
}

fn rows(out: &mut String, when: &str, tables: &[ShownTable]) {
    let _ = writeln!(out, ".print -- {when}\n.mode quote");
    for table in tables {
        let columns: Vec<String> = table.columns.iter().map(|column| quoted(column)).collect();
        let (name, columns) = (quoted(&table.name), columns.join(", "));
        // Here and above: writing to a string never fails.
        let _ = writeln!(out, ".print {}", on_one_line(&table.name));
        statement(out, &format!("SELECT {columns} FROM {name}"));
    }
}

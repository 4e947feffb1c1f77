//! Text for a `sqlite3` shell. Knows what it takes for a command; knows no statement.

use crate::schema::quoted;
use std::fmt::Write as _;

/// A remark, on one line: a name of the tree may hold more.
pub fn remark(out: &mut String, text: &str) {
    let _ = writeln!(out, "-- {}", on_one_line(text));
}

/// A text without control characters, which would end its line.
pub fn on_one_line(text: &str) -> String {
    text.chars().map(|one| if one.is_control() { ' ' } else { one }).collect()
}

/// A statement with its end, which no comment may hide. The shell takes a line that begins with a dot for a command, and a
/// zero byte for the end: what has such is left out.
pub fn statement(out: &mut String, sql: &str) {
    if sql.contains('\0') || sql.split(['\n', '\r']).any(|line| line.starts_with('.')) {
        remark(out, "Left out, for the shell would take a line of it for a command:");
        return remark(out, sql);
    }
    let sql = sql.trim_end().trim_end_matches(';').trim_end();
    let hidden = sql.lines().next_back().is_some_and(|line| line.contains("--"));
    let _ = writeln!(out, "{sql}{}", if hidden { "\n;" } else { ";" });
}

/// A CREATE statement for a schema. SQLite keeps them without it, the name behind the words.
pub fn within(schema: &str, sql: &str) -> String {
    const HEADS: [&str; 6] = [
        "CREATE VIRTUAL TABLE ",
        "CREATE UNIQUE INDEX ",
        "CREATE TABLE ",
        "CREATE INDEX ",
        "CREATE VIEW ",
        "CREATE TRIGGER ",
    ];
    let head = HEADS.into_iter().find(|head| sql.starts_with(head)).filter(|_| schema != "main");
    match head.and_then(|head| Some((head, sql.strip_prefix(head)?))) {
        Some((head, rest)) => format!("{head}{}.{}", quoted(schema), rest.trim_start()),
        None => sql.to_owned(),
    }
}

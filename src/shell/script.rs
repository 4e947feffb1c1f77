//! Text for a `sqlite3` shell. Knows what it takes for a command; knows no statement.

use crate::schema::{file::Stat, quoted, tokens::Tokens};
use std::fmt::Write as _;

/// A remark, on one line: a name of the tree may hold more.
pub fn remark(out: &mut String, text: &str) {
    let _ = writeln!(out, "-- {}", on_one_line(text));
}

/// A text without control characters, which would end its line.
pub fn on_one_line(text: &str) -> String {
    text.chars().map(|one| if one.is_control() { ' ' } else { one }).collect()
}

/// A statement with its end, which no comment may hide; false where it is left out. The shell takes a line that begins with a dot
/// for a command, one that is `/` or `go` for the end of a statement, and a zero byte for the end of all.
pub fn statement(out: &mut String, sql: &str) -> bool {
    let is_word =
        |line: &str| line.starts_with('.') || matches!(line.trim(), "/" | "go" | "Go" | "gO" | "GO");
    if sql.contains('\0') || sql.split(['\n', '\r']).any(is_word) {
        remark(out, "Left out, for the shell would take a line of it for a command:");
        remark(out, sql);
        return false;
    }
    let sql = sql.trim_end().trim_end_matches(';').trim_end();
    let end = match open_comment(sql) {
        Some("--") => "\n;",
        Some(_) => "*/;",
        None => ";",
    };
    let _ = writeln!(out, "{sql}{end}");
    true
}

/// What begins the comment that a text ends in: SQLite takes it where the text is all there is.
fn open_comment(sql: &str) -> Option<&'static str> {
    let end = Tokens::from(sql, 0).last().map_or(0, |token| token.end);
    let mut rest = sql.get(end..)?.trim_start();
    loop {
        let (open, close) = if rest.starts_with("--") { ("--", "\n") } else { ("/*", "*/") };
        match rest.strip_prefix(open)?.split_once(close) {
            Some((_, behind)) => rest = behind.trim_start(),
            None => return Some(open),
        }
    }
}

/// What ANALYZE would find, said to SQLite.
pub fn analyzed(stats: &[&Stat]) -> Option<String> {
    let rows: Vec<String> = stats.iter().map(|stat| stat.values()).collect();
    let rows = on_one_line(&rows.join(", "));
    (!stats.is_empty()).then(|| {
        format!(
            "ANALYZE sqlite_schema;\nDELETE FROM sqlite_stat1;\nINSERT INTO sqlite_stat1 VALUES {rows};\n\
             ANALYZE sqlite_schema;\n"
        )
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_ends_where_it_ends() {
        let written = |sql: &str| {
            let mut out = String::new();
            statement(&mut out, sql).then_some(out)
        };
        for (sql, expected) in [
            ("SELECT 1", "SELECT 1;\n"),
            ("SELECT 1; ", "SELECT 1;\n"),
            ("SELECT 1 -- one", "SELECT 1 -- one\n;\n"),
            ("SELECT 1 /* one", "SELECT 1 /* one*/;\n"),
            ("SELECT '--', \"/*\", [--], `/*`", "SELECT '--', \"/*\", [--], `/*`;\n"),
            ("SELECT 4 / 2 - 1 /* it's */", "SELECT 4 / 2 - 1 /* it's */;\n"),
        ] {
            assert_eq!(written(sql).as_deref(), Some(expected));
        }
        for sql in [
            "SELECT 1\n.shell true",
            "SELECT 4\n/\n2",
            "SELECT 1 AS\n GO \nFROM t",
            "SELECT\r.quit",
            "SELECT '\0'",
        ] {
            assert_eq!(written(sql), None, "{sql}");
        }
    }
}

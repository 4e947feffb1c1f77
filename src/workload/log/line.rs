//! What a line of a log is: the begin of a statement, values of the statement before, or neither. Knows how programs log;
//! knows no SQL but its first words.

use super::values::Value;
use crate::extract::sql::{Looks, looks};

/// Who wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// The sqlite3 shell's `.trace`, or whoever writes statements one after the other.
    Plain,
    /// Django: `(0.001) SELECT …; args=(1,); alias=default`.
    Django,
    /// Rails: `User Load (0.2ms)  SELECT …  [["id", 1]]`.
    Rails,
    /// `SQLAlchemy`: the statement over several lines, then its values on one of their own.
    Alchemy,
    /// An object with `sql`, and with `parameters` where there are some.
    Json,
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A statement begins, perhaps with its values.
    Begins(Format, String, Option<Value>),
    /// The statement before goes on.
    GoesOn,
    /// The values of the statement before.
    Values(Value),
    /// Something that is not run.
    Other,
}

/// Reads a line. `open` is the statement before, where that may go on.
pub(super) fn read(line: &str, open: Option<(Format, &str)>) -> Line {
    structured(line).unwrap_or_else(|| match open {
        Some(before) if continues(before, line) => Line::GoesOn,
        _ => plain(line).map_or(Line::Other, |sql| Line::Begins(Format::Plain, sql.to_owned(), None)),
    })
}

/// A line that says itself who wrote it.
fn structured(line: &str) -> Option<Line> {
    if line.trim_start().starts_with('{') {
        return Some(json(line));
    }
    if let Some((_, rest)) = line.split_once("sqlalchemy.engine") {
        return Some(alchemy(rest));
    }
    let (before, format, rest) = timed(line)?;
    let is_run = looks(rest) != Looks::No && !before.contains("CACHE");
    Some(if is_run { Line::Begins(format, rest.to_owned(), None) } else { Line::Other })
}

fn json(line: &str) -> Line {
    let (value, _) = Value::read(line);
    let named = |names: &[&str]| names.iter().find_map(|name| value.get(name));
    match named(&["sql", "statement", "query"]) {
        Some(Value::Text(sql)) => {
            let values = named(&["parameters", "params", "binds", "args", "values"]);
            Line::Begins(Format::Json, sql.clone(), values.cloned())
        }
        _ => Line::Other,
    }
}

/// What stands behind the name of `SQLAlchemy`'s logger: `.Engine SELECT …`, `.Engine [generated in 0.1s] (1, 2)`.
fn alchemy(rest: &str) -> Line {
    let rest = rest.trim_start_matches(|one: char| one.is_alphanumeric() || "._".contains(one));
    let rest = rest.trim_start_matches(|one: char| one.is_whitespace() || ":-|]".contains(one));
    let said = rest.strip_prefix('[').filter(|said| said.starts_with(|one: char| one.is_ascii_lowercase()));
    if let Some((_, values)) = said.and_then(|said| said.split_once(']')) {
        return Line::Values(Value::read(values).0);
    }
    if rest.starts_with(['(', '{', '[']) {
        return Line::Values(Value::read(rest).0);
    }
    Line::Begins(Format::Alchemy, rest.to_owned(), None)
}

/// A time in parentheses, `(0.2ms)` or `(0.001)`: what stands before it, whose it is, and what stands behind.
fn timed(line: &str) -> Option<(&str, Format, &str)> {
    let mut from = 0;
    while let Some(at) = line.get(from..)?.find('(').map(|at| from + at) {
        let inner = line.get(at + 1..)?;
        let digits = inner.find(|one: char| !(one.is_ascii_digit() || one == '.')).unwrap_or(inner.len());
        let behind = inner.get(digits..)?;
        if digits > 0 {
            if let Some(rest) = behind.strip_prefix("ms)") {
                return Some((line.get(..at)?, Format::Rails, rest.trim_start()));
            }
            if let Some(rest) = behind.strip_prefix(") ").filter(|rest| looks(rest) != Looks::No) {
                return Some((line.get(..at)?, Format::Django, rest.trim_start()));
            }
        }
        from = at + 1;
    }
    None
}

/// Words that a line of a statement can start with, and no statement.
const WITHIN: [&str; 28] = [
    "from",
    "where",
    "join",
    "left",
    "right",
    "full",
    "inner",
    "outer",
    "cross",
    "natural",
    "on",
    "using",
    "and",
    "or",
    "not",
    "group",
    "order",
    "having",
    "limit",
    "offset",
    "union",
    "except",
    "intersect",
    "set",
    "values",
    "returning",
    "window",
    "as",
];

/// Whether a line goes on with the statement before it.
fn continues((format, sql): (Format, &str), line: &str) -> bool {
    let is_closed = match format {
        Format::Plain => sql.trim_end().ends_with(';'),
        Format::Django => sql.contains("; args="),
        Format::Rails => sql.trim_end().ends_with("]]"),
        Format::Alchemy => return !line.trim().is_empty(),
        Format::Json => true,
    };
    let line = line.trim_start();
    let word = line.split(|one: char| !one.is_alphanumeric()).next().unwrap_or("");
    let is_within = line.starts_with(['(', ')', ','])
        || WITHIN.iter().any(|one| one.eq_ignore_ascii_case(word))
        || (line.starts_with(';') && format != Format::Rails);
    !is_closed && !line.is_empty() && (is_within || is_open(sql))
}

/// Whether a parenthesis or a string is open at the end of a text.
fn is_open(sql: &str) -> bool {
    let (mut depth, mut quote) = (0_i64, None);
    for letter in sql.chars() {
        match (quote, letter) {
            (Some(own), _) if own == letter => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    depth > 0 || quote.is_some()
}

/// A statement that is alone on its line, or stands behind what a logger puts in front of all: a time, a level, a name.
fn plain(line: &str) -> Option<&str> {
    const VERBS: [&str; 6] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "REPLACE ", "WITH "];
    let trimmed = line.trim_start();
    if looks(trimmed) != Looks::No {
        return Some(trimmed);
    }
    let starts = VERBS.iter().filter_map(|verb| line.find(verb));
    let start = starts.min()?;
    let is_apart = line.get(..start)?.ends_with([' ', '\t', ':', '|', '>', ']', ')', '"', '=']);
    let sql = line.get(start..)?;
    (is_apart && looks(sql) == Looks::Yes).then_some(sql)
}

/// The statement and its values, where they stand behind it.
pub(super) fn apart(format: Format, sql: &str) -> (&str, Option<Value>) {
    let (sql, values) = match format {
        Format::Django => match sql.rfind("; args=") {
            Some(at) => (sql.get(..at).unwrap_or(sql), sql.get(at + "; args=".len()..)),
            None => (sql, None),
        },
        Format::Rails => match sql.rfind("  [[") {
            Some(at) => (sql.get(..at).unwrap_or(sql), sql.get(at..)),
            None => (sql, None),
        },
        _ => (sql, None),
    };
    let values = values.map(|values| Value::read(values).0);
    (sql.trim_end_matches(|one: char| one.is_whitespace() || one == ';').trim_start(), values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn begins(line: &str, format: Format, sql: &str) {
        match read(line, None) {
            Line::Begins(own, found, _) => assert_eq!((own, found.as_str()), (format, sql), "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn statements_are_seen_as_each_tool_logs_them() {
        begins("SELECT 1 FROM t;", Format::Plain, "SELECT 1 FROM t;");
        begins("12:00:01 DEBUG db: UPDATE t SET a = 1", Format::Plain, "UPDATE t SET a = 1");
        begins("(0.001) SELECT 1 FROM t; args=(1,)", Format::Django, "SELECT 1 FROM t; args=(1,)");
        begins("  T Update (0.3ms)  UPDATE \"t\" SET \"a\" = ?", Format::Rails, "UPDATE \"t\" SET \"a\" = ?");
        let line = "2024-01-01 10:00:00,123 INFO sqlalchemy.engine.Engine SELECT t.a ";
        begins(line, Format::Alchemy, "SELECT t.a ");
        begins("INFO:sqlalchemy.engine.Engine:SELECT t.a", Format::Alchemy, "SELECT t.a");
        begins("{\"sql\":\"SELECT 1\",\"parameters\":[]}", Format::Json, "SELECT 1");
    }

    #[test]
    fn values_stand_beside_their_statement_or_below_it() {
        let number = || Value::Number("5".to_owned());
        let line = "… INFO sqlalchemy.engine.Engine [cached since 2.1s ago] (5,)";
        assert_eq!(read(line, None), Line::Values(Value::List(vec![number()])));
        let (sql, values) = apart(Format::Rails, "SELECT 1  [[\"id\", 5]]");
        let pair = Value::List(vec![Value::Text("id".to_owned()), number()]);
        assert_eq!((sql, values), ("SELECT 1", Some(Value::List(vec![pair]))));
        let (sql, values) = apart(Format::Django, "SELECT 5; args=(5,); alias=default");
        assert_eq!((sql, values), ("SELECT 5", Some(Value::List(vec![number()]))));
    }

    #[test]
    fn other_lines_are_told_from_statements() {
        for line in [
            "Started GET \"/\" for 127.0.0.1",
            "Completed 200 OK in 5ms (Views: 3.1ms)",
            "  CACHE User Load (0.0ms)  SELECT 1 FROM t",
            "Please select a file",
            "{\"level\": \"info\"}",
            "",
        ] {
            assert_eq!(read(line, None), Line::Other, "{line}");
        }
    }

    #[test]
    fn a_statement_goes_on_where_it_is_not_whole() {
        let goes_on = |sql, line| continues((Format::Plain, sql), line);
        assert!(
            goes_on("SELECT a", "FROM t")
                && goes_on("SELECT a FROM (", "  SELECT 1")
                && goes_on("x 'a", "b'")
        );
        assert!(!goes_on("SELECT a FROM t;", "WHERE a") && !goes_on("SELECT a FROM t", "SELECT b FROM t"));
        assert!(!goes_on("SELECT a FROM t", "done") && !goes_on("SELECT a FROM t", ""));
    }
}

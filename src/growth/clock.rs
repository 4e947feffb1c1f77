//! Statements that hold a column against the clock, as `at < datetime('now', '-30 days')`: what is measured holds it against
//! a parameter, which is bound as others are. The rows made have no times of the day on which they are made.

use super::tokens::{Kind, Token, tokens};
use crate::extract::names;
use crate::extract::text::Text;
use crate::workload::{Outcome, Statement};
use std::ops::Range;
use std::sync::Arc;

/// What SQLite gives the time for.
pub(super) const WORDS: [&str; 3] = ["CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME"];
/// The functions of times.
pub(super) const TIMES: [&str; 6] = ["datetime", "date", "time", "julianday", "unixepoch", "strftime"];
/// What else may stand in a term that is the time and no more: arithmetic, and kinds of numbers.
const OTHERS: [&str; 13] = [
    "CAST", "AS", "INTEGER", "INT", "BIGINT", "REAL", "NUMERIC", "TEXT", "round", "abs", "printf", "format",
    "coalesce",
];
/// What ends a term of a condition.
const ENDS: [&str; 32] = [
    "AND",
    "OR",
    "NOT",
    "WHERE",
    "ON",
    "HAVING",
    "SELECT",
    "ORDER",
    "GROUP",
    "LIMIT",
    "RETURNING",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "BETWEEN",
    "SET",
    "CASE",
    "FROM",
    "JOIN",
    "LEFT",
    "INNER",
    "CROSS",
    "WINDOW",
    "IS",
    "IN",
    "LIKE",
    "GLOB",
    "AS",
];

/// The statements as they are measured: those that hold no column against the clock are borrowed.
pub(super) struct Clockless(Vec<Option<Statement>>);

impl Clockless {
    pub fn of(statements: &[(usize, &Statement)]) -> Self {
        Self(statements.iter().map(|(_, one)| without_clock(one)).collect())
    }

    /// All of them, in their order.
    pub fn all<'a>(&'a self, statements: &[(usize, &'a Statement)]) -> Vec<(usize, &'a Statement)> {
        let pairs = statements.iter().zip(&self.0);
        pairs.map(|(&(place, one), other)| (place, other.as_ref().unwrap_or(one))).collect()
    }
}

/// Whether a statement holds a column against the clock, so that it is measured with a parameter in the place of the time.
pub fn has_time(statement: &Statement) -> bool {
    without_clock(statement).is_some()
}

/// The statement with a parameter for each time of the clock that a column is bounded by; `None` where there is none.
pub(super) fn without_clock(statement: &Statement) -> Option<Statement> {
    let explained = statement.explained()?;
    let (text, count) = with_parameters(statement.text.as_str())?;
    let raw = if statement.holes == 0 {
        text.clone()
    } else {
        with_parameters(&statement.raw).filter(|(_, other)| *other == count)?.0
    };
    let mut explained = explained.clone();
    explained.parameters = parameters(&text);
    let names = names::names(&text).map(Arc::new);
    let outcome = Outcome::Planned { database: statement.database()?, explained: Box::new(explained) };
    let text = Text::exact(&text, statement.site.source, 0);
    Some(Statement { text, raw, outcome, names, ..statement.clone() })
}

/// The text with parameters for what is the time, and how many those are.
fn with_parameters(text: &str) -> Option<(String, usize)> {
    let lower = text.to_ascii_lowercase();
    if !["now", "current_", "unixepoch", "day()", "date()", "time()"].iter().any(|word| lower.contains(word))
    {
        return None;
    }
    let tokens = tokens(text);
    let mut times: Vec<Range<usize>> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_sign = ["<", "<=", ">", ">="].contains(&token.text);
        if is_sign && is_column(&tokens, before(&tokens, at)) {
            times.extend(time(&tokens, behind(&tokens, at)));
        } else if is_sign && is_column(&tokens, behind(&tokens, at)) {
            times.extend(time(&tokens, before(&tokens, at)));
        } else if token.is("BETWEEN") && is_column(&tokens, before(&tokens, at)) {
            let low = behind(&tokens, at);
            times.extend(time(&tokens, low.clone()));
            times.extend(time(&tokens, behind(&tokens, low.end)));
        }
    }
    if times.is_empty() {
        return None;
    }
    // A number in the text is that of a parameter of its own, which `?` in front of it would take.
    let is_numbered = tokens
        .iter()
        .any(|token| token.kind == Kind::Parameter && token.text.len() > 1 && token.text.starts_with('?'));
    let own = parameters(text).len();
    let mut text = text.to_owned();
    for (number, range) in times.iter().enumerate().rev() {
        let name = if is_numbered { format!("?{}", own + 1 + number) } else { "?".to_owned() };
        text.replace_range(range.clone(), &name);
    }
    Some((text, times.len()))
}

/// The term in front of a sign, as a range of tokens.
fn before(tokens: &[Token<'_>], sign: usize) -> Range<usize> {
    let mut depth = 0_usize;
    let mut start = sign;
    for token in tokens.iter().take(sign).rev() {
        match token.text {
            ")" => depth += 1,
            "(" | "," if depth == 0 => break,
            "(" => depth -= 1,
            _ if depth == 0 && is_end(token) => break,
            _ => {}
        }
        start -= 1;
    }
    start..sign
}

/// The term behind a sign or a word.
fn behind(tokens: &[Token<'_>], sign: usize) -> Range<usize> {
    let mut depth = 0_usize;
    let mut end = sign + 1;
    for token in tokens.iter().skip(sign + 1) {
        match token.text {
            "(" => depth += 1,
            ")" | "," | ";" if depth == 0 => break,
            ")" => depth -= 1,
            _ if depth == 0 && is_end(token) => break,
            _ => {}
        }
        end += 1;
    }
    sign + 1..end
}

fn is_end(token: &Token<'_>) -> bool {
    let is_compared = ["<", "<=", ">", ">=", "=", "==", "<>", "!="].contains(&token.text);
    is_compared || (token.kind == Kind::Word && ENDS.iter().any(|word| token.is(word)))
}

/// Whether a term is a column and nothing else.
fn is_column(tokens: &[Token<'_>], term: Range<usize>) -> bool {
    let is_name = |one: &Token<'_>| one.kind == Kind::Word && !WORDS.iter().any(|word| one.is(word));
    match tokens.get(term).unwrap_or_default() {
        [column] => is_name(column),
        [table, dot, column] => is_name(table) && dot.is(".") && is_name(column),
        _ => false,
    }
}

/// Where a term stands in the text that is the time, or a while before or after it.
fn time(tokens: &[Token<'_>], term: Range<usize>) -> Option<Range<usize>> {
    let term = tokens.get(term)?;
    let (first, last) = (term.first()?, term.last()?);
    let is_known = |one: &Token<'_>| {
        one.kind != Kind::Word
            || [&WORDS[..], &TIMES[..], &OTHERS[..]].iter().any(|words| words.iter().any(|word| one.is(word)))
    };
    let asks = |at: usize, one: &Token<'_>| {
        let is_word = WORDS.iter().any(|word| one.is(word));
        let is_now = one.kind == Kind::String && one.plain().eq_ignore_ascii_case("now");
        // `unixepoch()` is the time, too.
        let is_empty =
            || matches!(term.get(at + 1..at + 3), Some([open, close]) if open.is("(") && close.is(")"));
        is_word || is_now || (TIMES.iter().any(|name| one.is(name)) && is_empty())
    };
    let is_time = term.iter().all(is_known) && term.iter().enumerate().any(|(at, one)| asks(at, one));
    is_time.then(|| first.start..last.start + last.text.len())
}

/// The parameters of a text, in the order of the numbers that SQLite gives them.
fn parameters(text: &str) -> Vec<Option<String>> {
    let mut found: Vec<Option<String>> = Vec::new();
    for token in tokens(text).iter().filter(|token| token.kind == Kind::Parameter) {
        let name = Some(token.text.to_owned());
        match token.text.strip_prefix('?') {
            Some("") => found.push(None),
            Some(digits) => {
                // SQLite takes no higher number than this.
                let number: usize = digits.parse().unwrap_or(0).min(32_766);
                found.resize(found.len().max(number), None);
                if let Some(own) = number.checked_sub(1).and_then(|place| found.get_mut(place)) {
                    *own = own.take().or(name);
                }
            }
            None if found.contains(&name) => {}
            None => found.push(name),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_time_becomes_a_parameter() {
        for (text, measured) in [
            ("DELETE FROM t WHERE at < datetime('now', ? || ' hours')", "DELETE FROM t WHERE at < ?"),
            (
                "SELECT a FROM t WHERE t.at >= unixepoch() - 60 * ?2 AND b = ?1",
                "SELECT a FROM t WHERE t.at >= ?3 AND b = ?1",
            ),
            (
                "SELECT a FROM t WHERE CURRENT_TIMESTAMP > at ORDER BY a",
                "SELECT a FROM t WHERE ? > at ORDER BY a",
            ),
            (
                "SELECT a FROM t WHERE (at <= CAST(strftime('%s', 'now') AS INTEGER)) LIMIT 3",
                "SELECT a FROM t WHERE (at <= ?) LIMIT 3",
            ),
            (
                "SELECT a FROM t WHERE at BETWEEN date('now', '-1 day') AND date('now')",
                "SELECT a FROM t WHERE at BETWEEN ? AND ?",
            ),
        ] {
            assert_eq!(with_parameters(text).map(|(text, _)| text).as_deref(), Some(measured));
        }
        for text in [
            "SELECT a FROM t WHERE at < datetime(?, '-1 day') AND note = 'now'",
            "SELECT a FROM t WHERE date(at) < date('now')",
            "SELECT a FROM t WHERE at < datetime('now', days || ' days')",
            "UPDATE t SET at = datetime('now') WHERE a = ?",
        ] {
            assert_eq!(with_parameters(text), None, "{text}");
        }
    }

    #[test]
    fn parameters_have_the_numbers_of_sqlite() {
        let name = |text: &str| Some(text.to_owned());
        assert_eq!(parameters("SELECT ?, :a, ?, :a, ?2"), [None, name(":a"), None]);
        assert_eq!(parameters("SELECT ?3"), [None, None, name("?3")]);
    }
}

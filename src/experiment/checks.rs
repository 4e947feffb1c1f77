//! Values that may please the CHECKs of a table: such as stand in their texts. Whether they do, SQLite says.

use super::{seeds, unit::has_word};
use crate::schema::{Column, Table, sqlite::types::Value};
use std::collections::BTreeSet;

/// How many values are tried for a CHECK.
const ATTEMPTS: usize = 24;

/// A CHECK of a table.
struct Check<'a> {
    /// Its expression.
    text: &'a str,
    /// Its name, if it has one.
    name: Option<&'a str>,
    /// The columns in it, by their places among those that take a value.
    columns: BTreeSet<usize>,
}

/// What a column may be given.
enum Candidate {
    Value(Value),
    /// What it would have, at this length.
    Length(usize),
}

/// Changes values, of which a CHECK refused some, until `put` takes them; false where none are found that it takes. `message`
/// is what SQLite said.
pub(super) fn please(
    table: &Table,
    values: &[Value],
    message: String,
    put: &mut dyn FnMut(&[Value]) -> Result<usize, String>,
) -> bool {
    let checks = checks(table);
    let (mut values, mut message) = (values.to_vec(), message);
    let mut seen = BTreeSet::from([message.clone()]);
    for _ in &checks {
        if !is_check(&message) {
            return false;
        }
        // SQLite names the first that fails: where another one does, this one is pleased.
        let mut better = None;
        for candidate in checks.iter().filter(|check| check.is_meant(&message)).flat_map(Check::tries) {
            match put(&candidate(&values)) {
                Ok(_) => return true,
                Err(other) if is_check(&other) && !seen.contains(&other) => {
                    better = Some((candidate(&values), other));
                    break;
                }
                Err(_) => {}
            }
        }
        let Some((changed, other)) = better else { return false };
        seen.insert(other.clone());
        (values, message) = (changed, other);
    }
    false
}

/// Whether SQLite says that a CHECK is broken.
pub(super) fn is_check(message: &str) -> bool {
    message.starts_with("CHECK constraint failed")
}

impl Check<'_> {
    /// Whether a message of SQLite's is about it.
    fn is_meant(&self, message: &str) -> bool {
        let said = message.split_once(": ").map_or("", |(_, said)| said);
        self.name.map_or(said == self.text.trim(), |name| name.trim_matches(['"', '`', '[', ']']) == said)
    }

    /// The ways to change the values of a row for it.
    fn tries(&self) -> impl Iterator<Item = impl Fn(&[Value]) -> Vec<Value>> {
        self.candidates().into_iter().take(ATTEMPTS).map(move |candidate| {
            move |values: &[Value]| {
                let change = |(at, value): (usize, &Value)| {
                    if self.columns.contains(&at) { candidate.of(value) } else { value.clone() }
                };
                values.iter().enumerate().map(change).collect()
            }
        })
    }

    /// What stands in it, texts of a length that stands there, and what flags, days and JSON are.
    fn candidates(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let has_length = has_word(self.text, "length");
        for literal in literals(self.text) {
            if let (Value::Integer(length @ 0..=1_000), true) = (&literal, has_length) {
                let length = usize::try_from(*length).unwrap_or(0);
                candidates.extend([length, length + 1, length.saturating_sub(1)].map(Candidate::Length));
            }
            candidates.push(Candidate::Value(literal));
        }
        let usual = ["{}", "[]", "2020-01-01", ""].map(|text| Value::Text(text.to_owned()));
        let flags = [Value::Integer(1), Value::Integer(0), Value::Null];
        candidates.extend(flags.into_iter().chain(usual).map(Candidate::Value));
        candidates
    }
}

impl Candidate {
    /// The value, in the place of another one.
    fn of(&self, other: &Value) -> Value {
        let length = match self {
            Self::Value(value) => return value.clone(),
            Self::Length(length) => *length,
        };
        // The last digits tell rows apart.
        let fit = |text: &str| -> String {
            let missing = length.saturating_sub(text.chars().count());
            let whole = "0".repeat(missing) + text;
            whole.chars().skip(whole.chars().count() - length).collect()
        };
        match other {
            Value::Blob(bytes) => Value::Blob(fit(&String::from_utf8_lossy(bytes)).into_bytes()),
            Value::Text(text) => Value::Text(fit(text)),
            Value::Integer(number) => Value::Text(fit(&number.to_string())),
            Value::Real(_) | Value::Null => Value::Text(fit("")),
        }
    }
}

fn checks(table: &Table) -> Vec<Check<'_>> {
    let lower = table.sql.to_ascii_lowercase();
    let found = lower.match_indices("check").filter_map(|(at, word)| {
        let text = parenthesised(table.sql.get(at + word.len()..)?.trim_start())?;
        let mut before = table.sql.get(..at)?.split_whitespace().rev();
        let name =
            before.next().filter(|_| before.next().is_some_and(|one| one.eq_ignore_ascii_case("constraint")));
        let is_in = |(_, column): &(usize, &Column)| has_word(text, &column.name);
        let columns = seeds::columns(table).enumerate().filter(is_in).map(|(at, _)| at).collect();
        Some(Check { text, name, columns })
    });
    found.collect()
}

/// What stands in the parentheses with which a text begins.
fn parenthesised(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, one) in text.char_indices() {
        match (one, quote) {
            (_, Some(open)) => quote = (one != open).then_some(open),
            ('\'' | '"', None) => quote = Some(one),
            ('(', None) => depth += 1,
            (')', None) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return text.get(1..at);
        }
    }
    None
}

/// The strings and whole numbers of an expression.
fn literals(text: &str) -> Vec<Value> {
    let mut parts = text.split('\'');
    let mut found = Vec::new();
    let is_end = |one: char| !one.is_ascii_alphanumeric() && one != '_' && one != '-';
    while let Some(outside) = parts.next() {
        found.extend(outside.split(is_end).filter_map(|word| word.parse().ok()).map(Value::Integer));
        found.extend(parts.next().map(|inside| Value::Text(inside.to_owned())));
    }
    found
}

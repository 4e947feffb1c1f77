//! Tables that are emptied before they are filled again: what they hold is as long as the list that they are filled from.

use super::{Writing, has_where, insert_lists, words};
use crate::{
    extract::{Extraction, Literal},
    schema::{StatementKind, Table, same},
};

/// Whether a function prepares a text with so many others that they are for those who run them when they will.
pub(super) fn is_prepared(extraction: &Extraction, literal: &Literal) -> bool {
    /// The most texts of a function that runs them one behind the other.
    const MOST: usize = 24;
    let sink = literal.sink.as_ref();
    sink.is_some_and(|sink| sink.name.to_ascii_lowercase().contains("prepare"))
        && literal.function.is_some_and(|function| extraction.literals_of(function).len() > MOST)
}

/// Whether every function that fills a table takes all its rows away: by a DELETE without a WHERE, or with one that asks for
/// the value which all rows have.
pub(super) fn before(delete: &Writing<'_>, inserts: &[&Writing<'_>], table: &Table) -> bool {
    let text = delete.statement.text.as_str();
    let is_near = || inserts.iter().all(|insert| insert.function == delete.function);
    let has_value = |(column, value): (String, String)| {
        inserts.iter().all(|insert| gives(insert.statement.text.as_str(), table, &column, &value))
    };
    delete.explained.kind == StatementKind::Delete
        && delete.function.is_some()
        && !delete.is_prepared
        && is_near()
        && (!has_where(text) || one_value(text).is_some_and(has_value))
}

/// The column and the literal of a condition that is no more: `WHERE kind = 'id'`.
fn one_value(sql: &str) -> Option<(String, String)> {
    let words = words(sql);
    let at = words.iter().position(|word| word == "where")?;
    let (column, value) =
        match words.get(at + 1..)?.strip_suffix(&[";".to_owned()]).unwrap_or(words.get(at + 1..)?) {
            [column, equals, open, value, close] if equals == "=" && open == "'" && close == "'" => {
                (column, format!("'{value}'"))
            }
            [column, equals, value] if equals == "=" && value.parse::<i64>().is_ok() => {
                (column, value.clone())
            }
            _ => return None,
        };
    Some((column.clone(), value))
}

/// Whether an INSERT gives a column a literal.
fn gives(sql: &str, table: &Table, column: &str, value: &str) -> bool {
    let Some((columns, values)) = insert_lists(sql, table) else { return false };
    let is_given =
        |(name, given): (&String, &String)| same(name, column) && given.trim().eq_ignore_ascii_case(value);
    columns.iter().zip(&values).any(is_given)
}

#[cfg(test)]
mod tests {
    use super::one_value;

    #[test]
    fn one_value_is_asked_for() {
        let pair = |column: &str, value: &str| Some((column.to_owned(), value.to_owned()));
        assert_eq!(one_value("DELETE FROM t WHERE kind = 'id'"), pair("kind", "'id'"));
        assert_eq!(one_value("DELETE FROM t WHERE \"kind\" = 1;"), pair("kind", "1"));
        assert_eq!(one_value("DELETE FROM t WHERE kind = ?"), None);
        assert_eq!(one_value("DELETE FROM t WHERE kind = 'id' AND host = 'b'"), None);
        assert_eq!(one_value("DELETE FROM t"), None);
    }
}

//! When a comparison with a column means the same as one with its bare value: SQLite changes what is compared with a
//! column to the column's type, and with an expression it does not.

use super::{
    subject::{Named, Subject, same},
    words,
};
use crate::{
    extract::names::expressions::{Expression, Form},
    schema::Affinity,
};

/// Functions that return text, or NULL.
const TEXTS: &[&str] =
    &["lower", "upper", "hex", "quote", "date", "time", "datetime", "printf", "format", "char"];

impl Subject<'_> {
    /// Where `column op other` means the same as `value op other`, in which value has no type: the conditions, or `None`
    /// where it does not.
    pub fn agrees(&self, query: u32, named: &Named<'_>, other: &Expression) -> Option<Vec<String>> {
        let is_number = |affinity| matches!(affinity, Affinity::Integer | Affinity::Real | Affinity::Numeric);
        let bound = |what: &str| Some(vec![format!("{what} are bound")]);
        let (numeric, text) = (is_number(named.affinity()), named.affinity() == Affinity::Text);
        if let Some((_, column)) = self.owner(query, other) {
            let fits = match column.affinity {
                Affinity::Text => text,
                Affinity::Blob => named.affinity() == Affinity::Blob,
                _ => numeric || named.affinity() == Affinity::Blob,
            };
            return fits.then(Vec::new);
        }
        match &other.form {
            Form::Number => (!text).then(Vec::new),
            Form::Unary("-" | "+", of) if of.form == Form::Number => (!text).then(Vec::new),
            Form::Text => (!numeric).then(Vec::new),
            Form::Parameter if numeric => bound("numbers"),
            Form::Parameter if text => Some(vec!["text is bound".to_owned()]),
            Form::Null | Form::Blob | Form::Parameter => Some(Vec::new()),
            Form::Call(name, _) if TEXTS.contains(&name.as_str()) => (!numeric).then(Vec::new),
            Form::Binary(operator, left, right) if matches!(operator.as_str(), "+" | "-" | "*") => {
                let mut all = self.whole_numbers(left)?;
                all.extend(self.whole_numbers(right)?);
                (!text).then_some(all)
            }
            _ => None,
        }
    }

    /// Where an expression is a whole number: the conditions, or `None` where it is something else.
    pub fn whole_numbers(&self, other: &Expression) -> Option<Vec<String>> {
        match &other.form {
            Form::Parameter => Some(vec!["whole numbers are bound".to_owned()]),
            Form::Number => integer(other.text(self.sql)).map(|_| Vec::new()),
            Form::Unary("-" | "+", of) => self.whole_numbers(of),
            Form::Binary(operator, left, right) if matches!(operator.as_str(), "+" | "-" | "*") => {
                let mut all = self.whole_numbers(left)?;
                all.extend(self.whole_numbers(right)?);
                Some(all)
            }
            _ => None,
        }
    }

    /// Whether all values of a column are of its type.
    pub fn is_strict(&self, named: &Named<'_>) -> bool {
        let any = named.column.is_some_and(|column| same(&column.declared_type, "ANY"));
        named.is_rowid || (self.table.strict && !any)
    }

    /// The condition that a column holds these, unless that is certain.
    pub fn holds(&self, named: &Named<'_>, what: &str) -> Vec<String> {
        if self.is_strict(named) {
            Vec::new()
        } else {
            vec![format!("{} holds {what}", words::code(named.name()))]
        }
    }
}

/// A whole number, in parentheses perhaps.
pub(super) fn integer(text: &str) -> Option<i64> {
    text.trim_matches(|next: char| next == '(' || next == ')' || next.is_whitespace()).parse().ok()
}

/// A string without its quotes.
pub(super) fn string(text: &str) -> Option<String> {
    let inner = text.trim_matches(|next: char| next == '(' || next == ')' || next.is_whitespace());
    Some(inner.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'"))
}

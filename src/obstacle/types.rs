//! Columns of other types: an index is not ordered as they are compared.

use super::{
    Kind,
    rewrite::{Bare, Rewrite},
    subject::{Named, Subject, same},
    terms::Comparison,
    words,
};
use crate::{
    extract::names::expressions::{Expression, Form},
    schema::Affinity,
};

impl Subject<'_> {
    /// Whether the types of two columns keep an index from being used.
    pub fn other_type(&self, one: &Comparison<'_>, named: &Named<'_>, index: &str) -> Option<(Kind, String)> {
        let [other] = one.others.as_slice() else { return None };
        let (table, column) = self.owner(one.query, other)?;
        let is_number = |affinity| matches!(affinity, Affinity::Integer | Affinity::Real | Affinity::Numeric);
        if !is_number(column.affinity) || is_number(named.affinity()) {
            return None;
        }
        let own = words::code(named.name());
        let theirs = format!("`{}.{}`", table.name, column.name);
        let untyped = named.column.is_some_and(|column| column.declared_type.is_empty());
        let (kind, how) = if untyped {
            (Kind::Untyped, format!("{own} is declared without a type"))
        } else {
            (
                Kind::Affinity,
                format!("{own} is declared {}", named.column.map_or("", |column| &column.declared_type)),
            )
        };
        let kind_of =
            if column.declared_type.is_empty() { "a number" } else { column.declared_type.as_str() };
        Some((
            kind,
            format!(
                "{how} and compared with {theirs}, {kind_of}: as numbers, by which the index `{index}` is not ordered"
            ),
        ))
    }

    /// `a = +b`: the other column's type no longer decides how the two are compared.
    pub fn without_affinity(&self, one: &Comparison<'_>, named: &Named<'_>) -> Vec<Rewrite> {
        let [other] = one.others.as_slice() else { return Vec::new() };
        let is_same = matches!(one.operator, "=" | "IS");
        let number = self.owner(one.query, other).map(|(_, column)| column.affinity);
        // As text, numbers have another order, and 5.0 is another than 5.
        let is_texted = named.affinity() == Affinity::Text;
        if one.operator == "IN" || (is_texted && !(is_same && number == Some(Affinity::Integer))) {
            return Vec::new();
        }
        let side = words::code(named.name());
        let condition = if named.affinity() == Affinity::Text {
            format!("{side} holds each number written in one way")
        } else {
            format!("{side} holds no numbers written as text")
        };
        let (side, operator) = (one.side.text(self.sql).to_owned(), one.operator.to_owned());
        let others = vec![format!("+{}", other.text(self.sql))];
        let bare = Bare { side, others, operator, conditions: Vec::new(), whole: None };
        vec![Rewrite::new(one.whole, bare.text(one), vec![condition])]
    }
}

/// Whether an expression is several in parentheses.
pub(super) fn is_row_value(of: &Expression, sql: &str) -> bool {
    let inner = of.text(sql).trim_start_matches(|next: char| next == '(' || next.is_whitespace());
    let word = inner.get(..4).unwrap_or("");
    matches!(&of.form, Form::Other(parts) if parts.len() > 1) && !same(word, "CASE")
}

//! The values of a column in front: an index on it and the compared column serves a statement that compares the second
//! alone, if the values of the first are few and stand in a CHECK. Knows no values but those.

use super::{
    rewrite::Rewrite,
    subject::{Named, Subject, same},
    terms::Comparison,
    words,
};
use crate::{
    extract::names::expressions::{Expression, Form, conditions},
    schema::{
        IndexObject,
        tokens::{Kind, Token, Tokens},
    },
};

/// The most values that are put in front: each is a search of its own.
const MOST_VALUES: usize = 8;

impl Subject<'_> {
    /// The comparison with all values of the column before it in an index.
    pub fn with_values(
        &self,
        one: &Comparison<'_>,
        named: &Named<'_>,
        index: &IndexObject,
    ) -> Option<Rewrite> {
        let [first, second, ..] = index.columns.as_slice() else { return None };
        let (first, second) = (first.name.as_deref()?, second.name.as_deref()?);
        let column = self.table.columns.iter().find(|column| same(&column.name, first))?;
        let is_compared = |own: &Named<'_>| same(own.name(), first);
        let mut compared = self.filters().flat_map(|own| self.columns(own.query, &own.expression));
        // What an outer join makes up has none of the values, and NULL is one that no CHECK refuses.
        let is_proper = column.not_null && !self.has_outer_join && one.operator != "IS";
        if !is_proper || !same(second, named.name()) || compared.any(|own| is_compared(&own)) {
            return None;
        }
        let values = self.values_of(first)?;
        let Form::Column { qualifier, .. } = &one.side.form else { return None };
        let qualifier = qualifier.as_ref().map_or_else(String::new, |name| format!("{}.", words::name(name)));
        let text = format!(
            "{qualifier}{} IN ({}) AND {}",
            words::name(first),
            values.join(", "),
            one.whole.text(self.sql)
        );
        Some(Rewrite::new(one.whole, text, Vec::new()))
    }

    /// The literals to which a CHECK of the table holds a column; `None` where there is no such CHECK.
    fn values_of(&self, column: &str) -> Option<Vec<String>> {
        let checks = checks(&self.table.sql);
        let of_check = |check: &&str| {
            let text = format!("SELECT 1 WHERE {check}");
            let parts = conditions(&text);
            parts.iter().find_map(|part| listed(&part.expression, column, &text))
        };
        let values = checks.iter().find_map(of_check)?;
        (!values.is_empty() && values.len() <= MOST_VALUES).then_some(values)
    }
}

/// The literals of `column IN (…)`.
fn listed(of: &Expression, column: &str, text: &str) -> Option<Vec<String>> {
    let Form::In { negated: false, of, list: Some(list) } = &of.form else { return None };
    let is_column = matches!(&of.form, Form::Column { name, is_quoted: false, .. } if same(name, column));
    let is_literal = |one: &Expression| matches!(one.form, Form::Number | Form::Text);
    (is_column && list.iter().all(is_literal))
        .then(|| list.iter().map(|one| one.text(text).to_owned()).collect())
}

/// What stands in the parentheses of each CHECK of a CREATE TABLE.
fn checks(sql: &str) -> Vec<&str> {
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let mut found = Vec::new();
    for (at, open) in tokens.iter().enumerate().skip(1) {
        let is_check = tokens.get(at - 1).is_some_and(|word| word.kind == Kind::Word && word.is("CHECK"));
        if !is_check || !open.is_sign('(') {
            continue;
        }
        let mut depth = 0_usize;
        let close = tokens.iter().skip(at).find(|token| {
            depth = if token.is_sign('(') {
                depth + 1
            } else if token.is_sign(')') {
                depth.saturating_sub(1)
            } else {
                depth
            };
            depth == 0
        });
        found.extend(close.and_then(|close| sql.get(open.end..close.start)));
    }
    found
}

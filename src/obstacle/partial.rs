//! Partial indexes: where the statement implies what the index is limited to, in words that SQLite does not follow, the
//! same can be said in the words of the index.

use super::{
    rewrite::Rewrite,
    subject::{Named, Subject, same},
    terms::Comparison,
};
use crate::{
    extract::names::expressions::{Expression, Form, conditions},
    schema::{Affinity, quoted},
};

impl Subject<'_> {
    /// The comparison together with the WHERE of a partial index that begins with its column, if other terms imply that.
    pub fn with_filter(&self, one: &Comparison<'_>, named: &Named<'_>) -> Vec<Rewrite> {
        let begins = |index: &&crate::schema::IndexObject| {
            let first = index.columns.first().and_then(|first| first.name.as_deref());
            first.is_some_and(|name| same(name, named.name()))
        };
        let filters = self.indexes().filter(begins).filter_map(|index| index.filter.as_deref());
        let rewrite = |filter: &str| {
            let proofs = self.implies(one.query, filter)?;
            let text = format!("{} AND {filter}", one.whole.text(self.sql));
            Some(Rewrite { proofs, ..Rewrite::new(one.whole, text, Vec::new()) })
        };
        filters.filter_map(rewrite).collect()
    }

    /// Expressions of constants that are true where other terms of the statement imply a condition; `None` where none
    /// could.
    fn implies(&self, query: u32, filter: &str) -> Option<Vec<String>> {
        let probe = format!("SELECT 1 WHERE {filter}");
        let parts = conditions(&probe);
        let proofs = parts.iter().map(|part| {
            let mut columns = part.expression.all().into_iter().filter_map(|one| match &one.form {
                Form::Column { name, .. } => Some(name.as_str()),
                _ => None,
            });
            let column = columns.next()?;
            if columns.any(|other| !same(other, column)) {
                return None;
            }
            let value = self.fixed_by(query, column)?;
            let text = part.expression.text(&probe);
            Some(format!("SELECT {text} FROM (SELECT {value} AS {})", quoted(column)))
        });
        proofs.collect::<Option<Vec<String>>>().filter(|proofs| !proofs.is_empty())
    }

    /// The literal that a column is compared with by `=`.
    fn fixed_by(&self, query: u32, column: &str) -> Option<String> {
        let own = self.conditions.iter().filter(|one| one.query == query);
        own.flat_map(|one| self.compared(query, &one.expression)).find_map(|one| {
            let named = self.column(query, one.side).filter(|named| same(named.name(), column))?;
            let [other] = one.others.as_slice() else { return None };
            let fits = is_of_type(&named, other) && same(named.collation(), "BINARY");
            (one.operator == "=" && fits).then(|| other.text(self.sql).to_owned())
        })
    }
}

/// Whether a literal is of the type of a column, so that the two are compared as they are.
fn is_of_type(named: &Named<'_>, other: &Expression) -> bool {
    match named.affinity() {
        Affinity::Text => other.form == Form::Text,
        Affinity::Blob => matches!(other.form, Form::Text | Form::Number | Form::Blob),
        _ => other.form == Form::Number,
    }
}

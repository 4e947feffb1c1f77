//! Partial indexes: where the statement implies what the index is limited to, in words that SQLite does not follow, the
//! same can be said in the words of the index.

use super::{
    compare::integer,
    rewrite::Rewrite,
    subject::{Named, Subject, same},
    terms::Comparison,
};
use crate::{
    extract::names::{
        Clause,
        expressions::{Condition, Expression, Form, conditions},
    },
    schema::{Affinity, quoted},
};

impl Subject<'_> {
    /// The comparison together with the WHERE of a partial index that begins with its column, if other terms imply that.
    pub fn with_filter(&self, one: &Comparison<'_>, named: &Named<'_>) -> Vec<Rewrite> {
        let begins = |index: &&crate::schema::IndexObject| {
            let first = index.columns.first().and_then(|first| first.name.as_deref());
            first.is_some_and(|name| same(name, named.name()))
        };
        // What an outer join makes up is not in the index, and another query may have a column of this name.
        let is_in_where = |own: &&Condition| own.clause == Clause::Where && own.expression == *one.whole;
        let is_proper = !self.has_outer_join
            && one.operator != "IS"
            && self.is_own(one.query)
            && self.conditions.iter().any(|own| is_in_where(&own));
        if !is_proper {
            return Vec::new();
        }
        let filters = self.indexes().filter(begins).filter_map(|index| index.filter.as_deref());
        let rewrite = |filter: &str| {
            let proofs = self.implies(one.query, filter)?;
            let text = format!("{} AND ({filter})", one.whole.text(self.sql));
            Some(Rewrite { proofs, ..Rewrite::new(one.whole, text, Vec::new()) })
        };
        filters.filter_map(rewrite).collect()
    }

    /// Whether a comparison stands in the ON by which another table is joined from outside.
    pub fn is_in_outer_join(&self, one: &Comparison<'_>) -> bool {
        let is_in_where =
            |own: &Condition| own.clause == Clause::Where && own.expression.all().contains(&one.whole);
        self.has_outer_join && !self.step.left_join && !self.conditions.iter().any(is_in_where)
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
            let is_known = |part: &&Expression| !matches!(part.form, Form::Subquery | Form::Parameter);
            if !part.expression.all().iter().all(is_known) {
                return None;
            }
            let text = part.expression.text(&probe);
            Some(format!("SELECT {text} FROM (SELECT {value} AS {})", quoted(column)))
        });
        proofs.collect::<Option<Vec<String>>>().filter(|proofs| !proofs.is_empty())
    }

    /// The literal that a column is compared with by `=` in the WHERE, with the column's affinity.
    fn fixed_by(&self, query: u32, column: &str) -> Option<String> {
        let own = self.conditions.iter().filter(|one| one.query == query && one.clause == Clause::Where);
        own.flat_map(|one| self.compared(query, &one.expression)).find_map(|one| {
            let named = self.column(query, one.side).filter(|named| same(named.name(), column))?;
            let [other] = one.others.as_slice() else { return None };
            let fits = is_of_type(&named, other, self.sql) && same(named.collation(), "BINARY");
            let (affinity, text) = (named.affinity(), other.text(self.sql));
            let value = match affinity {
                Affinity::Blob => text.to_owned(),
                _ => format!("CAST({text} AS {})", affinity.as_str()),
            };
            (one.operator == "=" && fits).then_some(value)
        })
    }
}

/// Whether a literal is of the type of a column, so that what equals it is nothing else.
fn is_of_type(named: &Named<'_>, other: &Expression, sql: &str) -> bool {
    match named.affinity() {
        Affinity::Text => other.form == Form::Text,
        Affinity::Blob => matches!(other.form, Form::Text | Form::Blob),
        _ => other.form == Form::Number && integer(other.text(sql)).is_some(),
    }
}

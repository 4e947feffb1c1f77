//! Partial indexes: where the statement implies what the index is limited to, in words that SQLite does not follow, the
//! same can be said in the words of the index.

use super::{
    Kind,
    compare::integer,
    rewrite::Rewrite,
    subject::{Named, Subject, begins_with, first_column, same},
    terms::Comparison,
    words,
};
use crate::{
    extract::names::{
        self, Clause,
        expressions::{Condition, Expression, Form},
    },
    schema::{Affinity, IndexObject, quoted},
};

impl Subject<'_> {
    /// The comparison together with the WHERE of a partial index that begins with its column, or is limited by that alone, if the
    /// terms imply that, or do where the caller asks for nothing else: `lost = true` implies `lost = 1`, and SQLite does not see it.
    pub fn with_filter(&self, one: &Comparison<'_>, named: &Named<'_>) -> Vec<Rewrite> {
        let begins = |index: &&IndexObject| {
            begins_with(index, named.name())
                || index.filter.as_deref().is_some_and(|filter| is_limited_by(filter, named.name()))
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
            let (proofs, conditions) = self.implies(one.query, filter)?;
            let text = format!("{} AND ({filter})", one.whole.text(self.sql));
            Some(Rewrite { proofs, ..Rewrite::new(one.whole, text, conditions) })
        };
        filters.filter_map(rewrite).collect()
    }

    /// The partial index that holds the rows of a comparison and no others, where that says so in other words than the index.
    pub fn limited_to(&self, one: &Comparison<'_>, named: &Named<'_>) -> Option<&IndexObject> {
        let is_own = |filter: &str| {
            filter != one.whole.text(self.sql)
                && is_limited_by(filter, named.name())
                && self.implies(one.query, filter).is_some_and(|(proofs, _)| !proofs.is_empty())
        };
        // Of one that another term could seek by, that is told.
        let is_sought = |index: &IndexObject| first_column(index).is_some_and(|name| self.is_compared(name));
        self.indexes().find(|index| index.filter.as_deref().is_some_and(is_own) && !is_sought(index))
    }

    /// Whether a comparison stands in the ON by which another table is joined from outside.
    pub fn is_in_outer_join(&self, one: &Comparison<'_>) -> bool {
        let is_in_where =
            |own: &Condition| own.clause == Clause::Where && own.expression.all().contains(&one.whole);
        self.has_outer_join && !self.step.left_join && !self.conditions.iter().any(is_in_where)
    }

    /// Expressions of constants that are true where other terms of the statement imply a condition, and what has to be bound so
    /// that they do; `None` where they can't.
    fn implies(&self, query: u32, filter: &str) -> Option<(Vec<String>, Vec<String>)> {
        let probe = format!("SELECT 1 WHERE {filter}");
        let (mut proofs, mut conditions) = (Vec::new(), Vec::new());
        for part in names::expressions::conditions(&probe) {
            let text = part.expression.text(&probe);
            if let Some(proof) = self.proof(query, &part.expression, text) {
                proofs.push(proof);
            } else if self.is_listed(query, &part.expression, &probe) {
                conditions.push(format!("only values with {} are bound", words::code(text)));
            } else {
                return None;
            }
        }
        (!proofs.is_empty() || !conditions.is_empty()).then_some((proofs, conditions))
    }

    /// An expression of constants that is true where the literal that a column is compared with implies a condition on it.
    fn proof(&self, query: u32, part: &Expression, text: &str) -> Option<String> {
        let column = only_column(part)?;
        let value = self.fixed_by(query, column)?;
        let is_known = |part: &&Expression| !matches!(part.form, Form::Subquery | Form::Parameter);
        let is_fixed = part.all().iter().all(is_known);
        is_fixed.then(|| format!("SELECT {text} FROM (SELECT {value} AS {})", quoted(column)))
    }

    /// Whether a condition lists the values of a column, and the WHERE asks for as many or fewer, all of which are bound; and the caller
    /// is not seen to bind another one.
    fn is_listed(&self, query: u32, part: &Expression, probe: &str) -> bool {
        let Form::In { list: Some(list), negated: false, .. } = &part.form else { return false };
        let one = only_column(part).and_then(|column| self.bound_to(query, column));
        one.is_some_and(|one| {
            let is_in = |bound: &String| list.iter().any(|own| own.text(probe).trim_matches('\'') == bound);
            (2..=list.len()).contains(&one.others.len()) && self.bound_literals(one.whole).iter().all(is_in)
        })
    }

    /// The comparison by `=` or IN of a column in the WHERE with nothing but parameters.
    fn bound_to(&self, query: u32, column: &str) -> Option<Comparison<'_>> {
        let own = self.conditions.iter().filter(|one| one.query == query && one.clause == Clause::Where);
        own.flat_map(|one| self.compared(query, &one.expression)).find(|one| {
            let is_own = self.column(query, one.side).is_some_and(|named| same(named.name(), column));
            let is_bound = one.others.iter().all(|other| other.form == Form::Parameter);
            is_own && matches!(one.operator, "=" | "IN") && is_bound && !one.others.is_empty()
        })
    }

    /// Why SQLite does not see that a statement implies the WHERE of a partial index, in words that go on; empty where nothing
    /// that is bound has to do with it.
    pub fn unseen(&self, query: u32, filter: &str) -> (Kind, String) {
        let probe = format!("SELECT 1 WHERE {filter}");
        let parts = names::expressions::conditions(&probe);
        let bound = parts.iter().find_map(|part| {
            let one = self.bound_to(query, only_column(&part.expression)?)?;
            Some((words::code(one.whole.text(self.sql)), one.operator, &part.expression))
        });
        match bound {
            None => (Kind::Partial, String::new()),
            Some((text, "=", own @ Expression { form: Form::Binary(sign, ..), .. })) if sign == "=" => {
                let mut others = parts.iter().map(|part| &part.expression).filter(|part| *part != own);
                let is_said = others.all(|part| self.says((part, &probe)));
                let kind = if is_said { Kind::Bound } else { Kind::Partial };
                (kind, format!(", and serves {text} only while that is what is bound"))
            }
            Some((text, ..)) => {
                (Kind::Partial, format!(", and of {text} SQLite does not look at what is bound"))
            }
        }
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

/// Whether all terms of a WHERE are of one column, which has this name.
fn is_limited_by(filter: &str, name: &str) -> bool {
    let parts = names::expressions::conditions(&format!("SELECT 1 WHERE {filter}"));
    let is_own = |part: &Condition| only_column(&part.expression).is_some_and(|column| same(column, name));
    !parts.is_empty() && parts.iter().all(is_own)
}

/// The column that a condition is about, where it is about one.
fn only_column(part: &Expression) -> Option<&str> {
    let mut columns = part.all().into_iter().filter_map(|one| match &one.form {
        Form::Column { name, .. } => Some(name.as_str()),
        _ => None,
    });
    let column = columns.next()?;
    columns.all(|other| same(other, column)).then_some(column)
}

/// Whether a literal is of the type of a column, so that what equals it is nothing else.
fn is_of_type(named: &Named<'_>, other: &Expression, sql: &str) -> bool {
    match named.affinity() {
        Affinity::Text => other.form == Form::Text,
        Affinity::Blob => matches!(other.form, Form::Text | Form::Blob),
        _ => {
            let text = other.text(sql);
            let is_truth = ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
            other.form == Form::Number && (is_truth || integer(text).is_some())
        }
    }
}

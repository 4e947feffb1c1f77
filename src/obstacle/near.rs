//! Partial indexes that a statement misses by one condition, which says about the same as the WHERE of the index: with values that are
//! bound in a list, where SQLite does not look at them, or by LIKE in place of GLOB. Knows no text that means the same.

use super::{
    Kind,
    subject::{Subject, begins_with, first_column, same},
    terms::Term,
    words,
};
use crate::{
    extract::names::{
        self, Clause,
        expressions::{Condition, Expression, Form},
    },
    schema::IndexObject,
};

/// An expression, with the text that it stands in.
type Part<'a> = (&'a Expression, &'a str);

/// How two conditions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    /// In nothing.
    None,
    /// In values of a list that are bound.
    Bound,
    /// In the operator of a pattern.
    Pattern,
}

impl Subject<'_> {
    /// A term for each partial index that could seek a column of the statement and misses one condition, where another index begins with
    /// that column: of one that is alone there, the column tells.
    pub fn near_misses(&self) -> Vec<Term> {
        self.indexes().filter_map(|index| self.near_miss(index)).collect()
    }

    fn near_miss(&self, index: &IndexObject) -> Option<Term> {
        let filter = index.filter.as_deref()?;
        let first = first_column(index).filter(|first| self.is_compared(first))?;
        let is_whole = |other: &IndexObject| other.filter.is_none() && begins_with(other, first);
        if !self.indexes().any(is_whole) {
            return None;
        }
        let probe = format!("SELECT 1 WHERE {filter}");
        let parts = names::expressions::conditions(&probe);
        let mut missed = parts.iter().filter(|part| !self.says((&part.expression, &probe)));
        let (part, None) = (missed.next()?, missed.next()) else { return None };
        let near = self.own_conditions().find_map(|one| {
            let whole = &one.expression;
            Some((one, difference((whole, self.sql), (&part.expression, &probe))?))
        });
        let (one, how) = near?;
        let (only, said) = (words::line(filter), words::code(one.expression.text(self.sql)));
        let why = match how {
            Difference::Bound => format!("and of {said} SQLite does not look at what is bound"),
            _ => format!("which SQLite does not see in {said}"),
        };
        let column = self.columns(one.query, &one.expression).first().copied();
        let words = format!("the index `{}` holds only rows with `{only}`, {why}", index.name);
        let mut term = Term::new(Kind::Unseen, &one.expression, column.as_ref(), words);
        term.index = Some(index.name.clone());
        term.advice = Some("Say the same in the statement, where that is meant".to_owned());
        Some(term)
    }

    /// Whether the WHERE says a condition in the same words.
    pub fn says(&self, part: Part<'_>) -> bool {
        let is = |own: &Condition| difference((&own.expression, self.sql), part) == Some(Difference::None);
        self.own_conditions().any(is)
    }

    fn own_conditions(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().filter(|own| own.clause == Clause::Where && self.is_own(own.query))
    }
}

/// How a condition of a statement differs from one of an index, where it says about the same of the same columns.
fn difference(own: Part<'_>, other: Part<'_>) -> Option<Difference> {
    let both = |(one, two): (&Expression, &Expression), (three, four): (&Expression, &Expression)| {
        Some(difference((one, own.1), (three, other.1))?.max(difference((two, own.1), (four, other.1))?))
    };
    let is_same = |one: &Expression, two: &Expression| {
        difference((one, own.1), (two, other.1)) == Some(Difference::None)
    };
    match (&own.0.form, &other.0.form) {
        (Form::Column { name, .. }, Form::Column { name: other, .. }) => {
            same(name, other).then_some(Difference::None)
        }
        (Form::Binary(sign, one, two), Form::Binary(pattern, three, four))
            if sign == "LIKE" && pattern == "GLOB" =>
        {
            let glob = two.text(own.1).replace('%', "*").replace('_', "?");
            let is_near = is_same(one, three) && glob == four.text(other.1);
            is_near.then_some(Difference::Pattern)
        }
        (Form::Binary(sign, one, two), Form::Binary(other, three, four)) if sign == other => {
            both((one, two), (three, four))
        }
        (
            Form::In { negated, of, list: Some(list) },
            Form::In { negated: is_negated, of: other_of, list: Some(values) },
        ) if negated == is_negated && list.len() == values.len() && is_same(of, other_of) => {
            if list.iter().all(|one| one.form == Form::Parameter) {
                return Some(Difference::Bound);
            }
            list.iter().zip(values).all(|(one, two)| is_same(one, two)).then_some(Difference::None)
        }
        _ => {
            let is_alike = own.0.text(own.1).eq_ignore_ascii_case(other.0.text(other.1));
            (is_alike && own.0.form == other.0.form).then_some(Difference::None)
        }
    }
}

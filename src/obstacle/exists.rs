//! EXISTS that is asked for each row: by IN the rows of the other table are found first, where an index has them, and this one is
//! searched by what they hold. It means the same in a WHERE: a row for which it is not known is left out as well. Only of a subquery that
//! returns the rows which its WHERE keeps: an aggregate without GROUP BY returns one of none.

use super::{
    Kind,
    rewrite::Rewrite,
    subject::{Named, Subject, same},
    terms::Term,
    words,
};
use crate::{
    extract::names::{
        Clause,
        expressions::{Condition, Expression, Form},
    },
    schema::tokens::{Kind as Part, Token, Tokens},
};
use std::ops::Range;

/// Words that make a subquery one that is not asked otherwise.
pub(super) const CLOSED: &[&str] = &[
    "GROUP",
    "HAVING",
    "WINDOW",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "WITH",
    "LEFT",
    "RIGHT",
    "FULL",
    "NATURAL",
];

impl Subject<'_> {
    /// An EXISTS in the WHERE that one column of the table leads into.
    pub fn exists(&self, condition: &Condition) -> Option<Term> {
        let (query, whole) = (condition.query, &condition.expression);
        let is_proper =
            condition.clause == Clause::Where && self.is_own(query) && whole.form == Form::Subquery;
        let text = whole.text(self.sql);
        let tokens: Vec<Token<'_>> = is_proper.then(|| Tokens::from(text, 0).collect())?;
        let [exists, open, select, ..] = tokens.as_slice() else { return None };
        let is_exists = exists.is("EXISTS") && open.is_sign('(') && select.is("SELECT");
        let is_closed = |token: &Token<'_>| CLOSED.iter().any(|word| token.is(word));
        if !is_exists || tokens.iter().any(is_closed) {
            return None;
        }
        let only = |word: &str| {
            let mut all = tokens.iter().filter(|token| token.is(word));
            all.next().filter(|_| all.next().is_none())
        };
        if !is_plain(select.end..only("FROM")?.start, &tokens) {
            return None;
        }
        let from = text.get(only("FROM")?.end..only("WHERE")?.start)?.trim();
        let within = |one: &&Condition| whole.start < one.expression.start && one.expression.end < whole.end;
        let (links, rest): (Vec<&Condition>, Vec<&Condition>) =
            self.conditions.iter().filter(within).partition(|one| self.link(one).is_some());
        let [(own, other, column)] = links.iter().filter_map(|one| self.link(one)).collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let is_free = |one: &&Condition| {
            let has_query = |part: &&Expression| part.form == Form::Subquery;
            one.clause != Clause::OrderBy
                && self.columns(one.query, &one.expression).is_empty()
                && !one.expression.all().iter().any(has_query)
        };
        if !rest.iter().all(is_free) {
            return None;
        }
        let kept = rest.iter().filter(|one| one.clause == Clause::Where);
        let kept: Vec<&str> = kept.map(|one| one.expression.text(self.sql)).collect();
        let tests = if kept.is_empty() { String::new() } else { format!(" WHERE {}", kept.join(" AND ")) };
        let (own, other) = (own.text(self.sql), other.text(self.sql));
        let rewrite = format!("{own} IN (SELECT {other} FROM {from}{tests})");
        let said = format!("EXISTS is asked for each row of `{}`", self.table.name);
        let mut term = Term::new(Kind::Operator, whole, Some(&column), said);
        term.rewrites = vec![Rewrite::new(whole, words::line_of(&rewrite), Vec::new())];
        term.needs_fix = true;
        Some(term)
    }

    /// The column of the table in a condition by which a subquery is joined to it, and the one that it equals.
    fn link<'e>(&self, condition: &'e Condition) -> Option<(&'e Expression, &'e Expression, Named<'_>)> {
        let Form::Binary(operator, left, right) = &condition.expression.form else { return None };
        let is_join = operator == "=" && condition.clause == Clause::Where;
        [(left, right), (right, left)].into_iter().filter(|_| is_join).find_map(|(own, other)| {
            let named = self.column(condition.query, own)?;
            let (_, column) = self.owner(condition.query, other)?;
            // Which of the two says how they are compared does not matter then.
            let is_alike = same(&column.collation, named.collation());
            let is_other = self.column(condition.query, other).is_none();
            (is_alike && is_other).then_some((&**own, &**other, named))
        })
    }
}

/// Whether a list of what a subquery returns, which stands in a range of the text, has nothing but columns and literals: a call may be
/// that of an aggregate.
fn is_plain(list: Range<usize>, tokens: &[Token<'_>]) -> bool {
    let within = |token: &&Token<'_>| list.start <= token.start && token.end <= list.end;
    tokens.iter().filter(within).all(|token| match token.kind {
        Part::Sign => ['*', '.', ','].into_iter().any(|sign| token.is_sign(sign)),
        kind => kind != Part::Parameter,
    })
}

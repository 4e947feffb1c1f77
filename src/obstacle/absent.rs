//! NOT IN of what a subquery finds, `id NOT IN (SELECT item FROM favourite WHERE …)`: SQLite puts all that it finds in a list, however
//! few values are asked for. By NOT EXISTS it is searched for each of them. The two mean the same where no value is NULL.

use super::{
    Kind,
    exists::CLOSED,
    rewrite::Rewrite,
    spelled,
    subject::{Subject, same},
    terms::Term,
    words,
};
use crate::{
    extract::names::{
        Clause, TableName,
        expressions::{Condition, Expression, Form},
    },
    plan::{Op, Step},
    schema::tokens::{Token, Tokens},
};

impl<'s> Subject<'s> {
    /// The NOT IN for whose list the step reads its table. It has to be the only one around the table.
    pub fn absent(&self) -> Option<Term> {
        let is_list = |step: &Step| matches!(step.op, Op::List { .. });
        let is_made = self.step.parent.and_then(|parent| self.plan.steps.get(parent)).is_some_and(is_list);
        if !is_made || self.step.op != Op::Scan {
            return None;
        }
        let mut all = self.conditions.iter().filter(|one| self.is_absence(one));
        let (condition, None) = (all.next()?, all.next()) else { return None };
        let whole = &condition.expression;
        let Form::In { of, .. } = &whole.form else { return None };
        let (owner, own) = self.owner(condition.query, of)?;
        let outer = self.alias_of(condition.query, of, &owner.name)?;
        let list = Listing::read(whole.text(self.sql).get(of.end.checked_sub(whole.start)?..)?)?;
        let &query = self.queries().first().filter(|&&query| self.is_own(query))?;
        let (other, column) = self.owner(query, &list.column)?;
        if !same(&column.collation, &own.collation) {
            return None;
        }
        let key = format!("{outer}.{}", spelled(&own.name));
        let Listing { item, from, tests, .. } = list;
        let rewrite = format!("NOT EXISTS (SELECT 1 FROM {from} WHERE {item} = {key}{tests})");
        let nulls = [(other, column, item), (owner, own, key.as_str())];
        let may_be_null = |table, column| !self.never_null(&self.named_of(table, column));
        let conditions = nulls.into_iter().filter(|(table, column, _)| may_be_null(table, column));
        let conditions = conditions.map(|(.., name)| format!("no {} is NULL", words::code(name))).collect();
        let said =
            format!("all that NOT IN excludes is put in a list, however few {} are asked", words::code(&key));
        let mut term = Term::new(Kind::Absent, whole, self.named(&column.name).as_ref(), said);
        term.rewrites = vec![Rewrite::new(whole, words::line_of(&rewrite), conditions)];
        term.needs_fix = true;
        Some(term)
    }

    /// Whether a condition is NOT IN of a subquery that the step belongs to.
    fn is_absence(&self, condition: &Condition) -> bool {
        let whole = &condition.expression;
        let within = |table: &TableName| whole.start < table.start && table.end < whole.end;
        condition.clause == Clause::Where
            && matches!(whole.form, Form::In { negated: true, list: None, .. })
            && self.tables().iter().any(|table| within(table) && self.queries().contains(&table.query))
    }

    /// What a query calls the table of a column, if nothing else in the statement is called so.
    fn alias_of(&self, query: u32, of: &Expression, table: &str) -> Option<&'s str> {
        let Form::Column { qualifier, .. } = &of.form else { return None };
        let called = |one: &'s TableName| one.alias.as_ref().unwrap_or(&one.name).as_str();
        let is_it = |one: &&'s TableName| {
            let is_named = qualifier.as_deref().is_none_or(|qualifier| same(qualifier, called(one)));
            one.query == query && is_named && same(&one.name, table)
        };
        let alias = called(self.tables().iter().find(is_it)?);
        (self.tables().iter().filter(|one| same(called(one), alias)).count() == 1).then_some(alias)
    }
}

/// `NOT IN (SELECT item FROM from WHERE tests)`, taken apart.
struct Listing<'t> {
    item: &'t str,
    /// The same, as a column; its place is that in the text.
    column: Expression,
    from: &'t str,
    /// With AND in front; empty where there are none.
    tests: String,
}

impl<'t> Listing<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let tokens: Vec<Token<'_>> = Tokens::from(text, 0).collect();
        let [not, within, open, select, inside @ .., close] = tokens.as_slice() else { return None };
        let is_it = not.is("NOT") && within.is("IN") && open.is_sign('(') && select.is("SELECT");
        let is_closed = |token: &Token<'_>| token.is("SELECT") || CLOSED.iter().any(|word| token.is(word));
        if !is_it || !close.is_sign(')') || inside.iter().any(is_closed) {
            return None;
        }
        let at = |word: &str| inside.iter().position(|token| token.is(word));
        let from = at("FROM")?;
        let list = inside.get(usize::from(at("DISTINCT") == Some(0))..from)?;
        let (qualifier, name) = match list {
            [name] => (None, name.name()),
            [owner, dot, name] if dot.is_sign('.') => (Some(owner.name()), name.name()),
            _ => return None,
        };
        let (start, end) = (list.first()?.start, list.last()?.end);
        let form = Form::Column { qualifier, name, is_quoted: false, name_start: start };
        let part = |from: usize, to: usize| text.get(from..to).map(str::trim);
        let from = inside.get(from)?.end;
        let (from, tests) = match at("WHERE").and_then(|at| inside.get(at)) {
            Some(token) => (part(from, token.start)?, part(token.end, close.start)?),
            None => (part(from, close.start)?, ""),
        };
        let tests = match tests {
            "" => String::new(),
            tests if at("OR").is_some() => format!(" AND ({tests})"),
            tests => format!(" AND {tests}"),
        };
        Some(Self { item: text.get(start..end)?, column: Expression { start, end, form }, from, tests })
    }
}

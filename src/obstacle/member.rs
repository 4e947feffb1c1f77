//! IN with all that a column holds, `id IN (SELECT item FROM favourite)`: SQLite reads the whole table into a list, each time, to see
//! whether one value is in it, unless an index begins with the column. Only of a subquery without a WHERE, which is all that SQLite
//! answers by an index: see `isCandidateForInOpt` in <https://sqlite.org/src/file/src/expr.c>.

use super::{
    Kind,
    indexes::Key,
    subject::{Named, Subject, same},
    terms::Term,
    words,
};
use crate::{
    extract::names::expressions::{Expression, Form},
    plan::{Op, Step},
    schema::tokens::{Token, Tokens},
};

impl Subject<'_> {
    /// The column that a list is made of, where the step reads its table for that and nothing else. All lists of the table in the text
    /// have to be of one column: nothing else tells which of them the step makes.
    pub fn member(&self) -> Option<Term> {
        let is_list = |step: &Step| matches!(step.op, Op::List { .. });
        let is_made = self.step.parent.and_then(|parent| self.plan.steps.get(parent)).is_some_and(is_list);
        if !is_made || self.step.op != Op::Scan || self.filters().next().is_some() {
            return None;
        }
        let tokens: Vec<Token<'_>> = Tokens::from(self.sql, 0).collect();
        let mut found: Option<(Named<'_>, usize, usize)> = None;
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.is("IN")) {
            let Some((column, end)) = tokens.get(at + 1..).and_then(|rest| self.listed(rest)) else {
                continue;
            };
            match &found {
                Some((other, ..)) if !same(other.name(), column.name()) => return None,
                Some(_) => {}
                None => found = Some((column, token.start, end)),
            }
        }
        let (column, start, end) = found?;
        let (table, name) = (words::code(&self.table.name), words::code(column.name()));
        let said =
            format!("no index of {table} begins with {name}, so that all of {table} is put in a list for IN");
        let key = Key::column(&column, column.collation(), false)?;
        let whole = Expression { form: Form::Subquery, start, end };
        Some(Term {
            keys: vec![key],
            needs_fix: true,
            ..Term::new(Kind::Member, &whole, Some(&column), said)
        })
    }

    /// The column that `(SELECT column FROM table)` lists of the table, and the byte behind it.
    fn listed(&self, tokens: &[Token<'_>]) -> Option<(Named<'_>, usize)> {
        let close = tokens.iter().position(|token| token.is_sign(')'))?;
        let [open, select, inside @ ..] = tokens.get(..close)? else { return None };
        let from = inside.iter().position(|token| token.is("FROM"))?;
        let (list, source) = (inside.get(..from)?, inside.get(from + 1..)?);
        let source = match source {
            [schema, dot, source @ ..] if dot.is_sign('.') && same(&schema.name(), &self.table.schema) => {
                source
            }
            _ => source,
        };
        let (alias, table) = match source {
            [table] => (table, table),
            [table, alias] => (alias, table),
            [table, r#as, alias] if r#as.is("AS") => (alias, table),
            _ => return None,
        };
        let column = match list {
            [column] => column,
            [owner, dot, column] if dot.is_sign('.') && same(&owner.name(), &alias.name()) => column,
            _ => return None,
        };
        let is_it = open.is_sign('(') && select.is("SELECT") && same(&table.name(), &self.table.name);
        let named = is_it.then(|| self.named(&column.name()))??;
        tokens.get(close).map(|close| (named, close.end))
    }
}

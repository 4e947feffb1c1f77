//! Subqueries that find many rows for each row around them, to keep the first or the greatest: what they cost grows with the rows
//! that each has, which tables that grow side by side never show. Knows no values.

use super::model::Model;
use super::shared::is_whole;
use super::uses::Catalog;
use crate::extract::names::AGGREGATES;
use crate::plan::{Index, Op, Purpose, Step, TermKind};
use crate::schema::{Explained, StatementKind};
use std::collections::BTreeSet;

/// The tables that are read around such subqueries, and in them.
struct Nest {
    outer: BTreeSet<usize>,
    inner: BTreeSet<usize>,
}

impl Nest {
    /// `None` where a statement has none, or reads one table both ways.
    fn of(catalog: &Catalog<'_>, explained: &Explained) -> Option<Self> {
        let calls = |name: &str| explained.functions.iter().any(|one| one == name);
        let is_extreme = (calls("min") || calls("max")) && !AGGREGATES.iter().copied().any(calls);
        let steps = &explained.plan.steps;
        let sorts = |step: &Step| {
            let is_sort = |other: &Step| other.op == Op::TempBTree(Purpose::OrderBy);
            steps.iter().any(|other| other.parent == step.parent && is_sort(other))
        };
        let own = || {
            let reads = steps.iter().filter(|step| matches!(step.op, Op::Scan | Op::Search));
            let many = reads.filter(|step| step.program.is_none() && !finds_one(catalog, step));
            many.filter_map(|step| Some((step, catalog.table(step.table.as_deref()?)?)))
        };
        let is_inner = |step: &Step| step.correlated && step.op == Op::Search && (is_extreme || sorts(step));
        let inner: BTreeSet<usize> =
            own().filter(|(step, _)| is_inner(step)).map(|(_, table)| table).collect();
        let outer: BTreeSet<usize> =
            own().filter(|(step, _)| !step.correlated).map(|(_, table)| table).collect();
        let is_nest = explained.kind == StatementKind::Select && !inner.is_empty() && !outer.is_empty();
        (is_nest && inner.is_disjoint(&outer)).then_some(Self { outer, inner })
    }
}

/// Whether a step finds one row at most.
fn finds_one(catalog: &Catalog<'_>, step: &Step) -> bool {
    let equal = step.terms.iter().filter(|term| term.kind == TermKind::Equal).count();
    let is_rowid = step.index == Some(Index::Rowid) && equal > 0;
    step.op == Op::Search && (is_rowid || is_whole(catalog, step, equal) == Some(true))
}

impl Model {
    /// Has the tables around such subqueries stay small in one data set, as long as none of them is read in another.
    pub fn nest<'a>(&mut self, catalog: &Catalog<'_>, statements: impl Iterator<Item = &'a Explained>) {
        let (mut outer, mut inner) = (BTreeSet::new(), BTreeSet::new());
        for nest in statements.filter_map(|explained| Nest::of(catalog, explained)) {
            if nest.outer.is_disjoint(&inner) && nest.inner.is_disjoint(&outer) {
                outer.extend(nest.outer);
                inner.extend(nest.inner);
            }
        }
        for at in outer {
            self.tables.get_mut(at).into_iter().for_each(|table| table.is_outer = true);
        }
    }

    /// Whether the tables around the subqueries of a statement stay small in that data set, and those in them grow.
    pub fn nests(&self, catalog: &Catalog<'_>, explained: &Explained) -> bool {
        let table = |at: &usize| self.tables.get(*at);
        Nest::of(catalog, explained).is_some_and(|nest| {
            nest.outer.iter().all(|at| table(at).is_some_and(|one| one.is_outer))
                && nest.inner.iter().any(|at| table(at).is_some_and(|one| one.fixed.is_none()))
                && !nest.inner.iter().any(|at| table(at).is_some_and(|one| one.is_outer))
        })
    }
}

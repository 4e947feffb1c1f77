//! Which query of its statement a step of a plan belongs to: by the name that is printed and, where that stands in
//! several queries, by the place of the step in the plan.

use crate::{
    extract::names::{Names, QueryKind, TableName},
    plan::{Op, Plan, Step},
    schema::same,
};

/// The queries that a step can belong to: several where the plan does not tell them apart, none where its table is not
/// named in the statement.
pub fn queries_of(names: &Names, plan: &Plan, at: usize) -> Vec<u32> {
    let Some(step) = plan.steps.get(at).filter(|step| step.program.is_none()) else { return Vec::new() };
    let mut queries: Vec<u32> =
        names.tables.iter().filter(|table| is_read(table, step)).map(|table| table.query).collect();
    queries.sort_unstable();
    queries.dedup();
    let depth = above(plan, at).filter(|step| is_subquery(step)).count();
    narrow(&mut queries, |query| subqueries(names, query) == depth);
    match body(plan, at) {
        Some(body) => narrow(&mut queries, |query| bodies(names, query).any(|name| same(name, body))),
        None => narrow(&mut queries, |query| !bodies(names, query).any(|name| is_apart(plan, name))),
    }
    if let Some(arm) = arm(plan, at) {
        narrow(&mut queries, |query| names.queries.get(query as usize).is_some_and(|query| query.arm == arm));
    }
    queries
}

/// Keeps the queries that fit; all where none does, for then the plan follows the text no more.
fn narrow(queries: &mut Vec<u32>, fits: impl Fn(u32) -> bool) {
    if queries.len() > 1 && queries.iter().any(|&query| fits(query)) {
        queries.retain(|&query| fits(query));
    }
}

/// Whether a step can be that of a table as it is named. A step prints the alias, or else the name, and before that the
/// schema where one is written.
fn is_read(table: &TableName, step: &Step) -> bool {
    let (Some(read), Some(printed)) = (&step.table, &step.name) else { return false };
    if table.is_common || table.is_inserted || !same(&table.name, read) {
        return false;
    }
    match &table.alias {
        Some(alias) => same(alias, printed),
        None => same(printed.rsplit_once('.').map_or(printed, |(_, name)| name), &table.name),
    }
}

/// The steps above a step, the nearest first.
fn above(plan: &Plan, at: usize) -> impl Iterator<Item = &Step> {
    let parent = |step: &&Step| step.parent.and_then(|parent| plan.steps.get(parent));
    std::iter::successors(plan.steps.get(at), parent).skip(1)
}

fn is_subquery(step: &Step) -> bool {
    matches!(step.op, Op::Scalar { .. } | Op::List { .. })
}

fn is_body(step: &Step) -> bool {
    matches!(step.op, Op::CoRoutine | Op::Materialize)
}

/// How many subqueries of expressions a query stands in.
fn subqueries(names: &Names, query: u32) -> usize {
    names.outwards(query).filter(|&outer| names.kind(outer) == Some(QueryKind::Subquery)).count()
}

/// The derived tables and common table expressions that a query is part of, within one expression.
fn bodies(names: &Names, query: u32) -> impl Iterator<Item = &str> {
    names
        .outwards(query)
        .take_while(|&outer| matches!(names.kind(outer), Some(QueryKind::Derived | QueryKind::Common)))
        .filter_map(|outer| names.queries.get(outer as usize)?.name.as_deref())
}

/// What a step is below of, where that is run by itself and has a name.
fn body(plan: &Plan, at: usize) -> Option<&str> {
    above(plan, at).take_while(|step| !is_subquery(step)).find(|step| is_body(step))?.name.as_deref()
}

/// Whether a derived table or common table expression is run by itself, and not as part of the query around it.
fn is_apart(plan: &Plan, name: &str) -> bool {
    plan.steps.iter().any(|step| is_body(step) && step.name.as_deref().is_some_and(|body| same(body, name)))
}

/// The place of a step's SELECT among those of a compound, from 0; `None` where it is part of none.
fn arm(plan: &Plan, at: usize) -> Option<u32> {
    let (own, root) = arms(plan, plan.steps.get(at)?.parent);
    let (own, root) = (own?, root?);
    if plan.steps.get(own)?.op == Op::RecursiveStep {
        return Some(1);
    }
    let before = (root..own).filter(|&place| is_leaf(plan, place) && arms(plan, Some(place)).1 == Some(root));
    Some(before.count() as u32)
}

/// The arm that a step is or is in, and the outermost step of its compound.
fn arms(plan: &Plan, from: Option<usize>) -> (Option<usize>, Option<usize>) {
    let (mut own, mut root) = (None, None);
    let mut next = from.and_then(|place| Some((place, plan.steps.get(place)?)));
    while let Some((place, step)) = next {
        if is_arm(&step.op) {
            own = own.or(Some(place));
        } else if !matches!(step.op, Op::Compound | Op::Merge(_)) {
            break;
        }
        root = Some(place);
        next = step.parent.and_then(|place| Some((place, plan.steps.get(place)?)));
    }
    (own, root)
}

fn is_arm(op: &Op) -> bool {
    matches!(op, Op::LeftMost | Op::Union(_) | Op::MergeLeft | Op::MergeRight | Op::Setup | Op::RecursiveStep)
}

/// An arm that is not itself a merge of arms.
fn is_leaf(plan: &Plan, place: usize) -> bool {
    let is_own = |step: &&Step| step.parent == Some(place);
    plan.steps.get(place).is_some_and(|step| is_arm(&step.op))
        && !plan.steps.iter().filter(is_own).any(|step| matches!(step.op, Op::Merge(_) | Op::Compound))
}

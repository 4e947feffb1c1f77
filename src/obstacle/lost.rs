//! Which statements miss what a migration lost: they would be planned better with the index that went, set off the
//! trigger, or read the view. Knows no rule, and not whether the tables are large.

use super::weigh;
use crate::{
    migration::mentions,
    plan::{Index, Op, Plan, Step},
    schema::{
        WriteAction,
        losses::{Loss, LossKind},
        quoted,
        replan::Workshop,
        same,
    },
    workload::{Database, Statement},
};

/// A statement that misses what was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missed {
    /// The database.
    pub database: usize,
    /// What was lost, as an index of its losses.
    pub loss: usize,
    /// The statement, by its place among all.
    pub statement: usize,
}

/// The statements that miss something, in the order of the losses.
pub fn missed(databases: &mut [Database], statements: &[Statement]) -> Vec<Missed> {
    let mut found = Vec::new();
    for (database, one) in databases.iter_mut().enumerate() {
        for (number, loss) in one.losses.iter().enumerate() {
            let own = statements.iter().enumerate().filter(|(_, one)| one.database() == Some(database));
            let is_on_new = one
                .variant
                .objects
                .indexes_of("main", &loss.table)
                .any(|index| same(&index.name, &loss.name));
            let Ok(mut workshop) = one.variant.live.workshop() else { continue };
            let missing = own.filter(|(_, one)| misses(loss, is_on_new, one, &mut workshop));
            found.extend(missing.map(|(statement, _)| Missed { database, loss: number, statement }));
        }
    }
    found
}

/// Whether a statement misses what was lost; `is_on_new`: a new database has the index.
fn misses(loss: &Loss, is_on_new: bool, statement: &Statement, workshop: &mut Workshop<'_>) -> bool {
    let is_it = |schema: &str, table: &str| schema == "main" && table.eq_ignore_ascii_case(&loss.table);
    let explained = statement.explained();
    match loss.kind {
        LossKind::Index if is_on_new => explained.is_some_and(|one| {
            let writes = one.writes.iter().any(|write| is_it(&write.schema, &write.table));
            is_worse_without(loss, (statement.text.as_str(), &one.plan), writes, workshop)
        }),
        LossKind::Index => {
            let reads =
                explained.is_some_and(|one| one.reads.iter().any(|read| is_it(&read.schema, &read.table)));
            reads && is_better_with(loss, statement.text.as_str(), workshop)
        }
        LossKind::Trigger => explained.is_some_and(|one| {
            let fires = |action: &WriteAction| match loss.event.as_deref() {
                Some("INSERT") => matches!(action, WriteAction::Insert),
                Some("DELETE") => matches!(action, WriteAction::Delete),
                _ => matches!(action, WriteAction::Update(_)),
            };
            one.writes.iter().any(|write| is_it(&write.schema, &write.table) && fires(&write.action))
        }),
        LossKind::View => {
            mentions(statement.text.as_str()).used.iter().any(|name| name.eq_ignore_ascii_case(&loss.name))
        }
    }
}

/// Whether a statement is planned worse where the index is missing that a new database has, or is refused there, as an ON
/// CONFLICT is that names its columns.
fn is_worse_without(
    loss: &Loss,
    (sql, with): (&str, &Plan),
    writes: bool,
    workshop: &mut Workshop<'_>,
) -> bool {
    let uses =
        |step: &&Step| matches!(&step.index, Some(Index::Named { name, .. }) if same(name, &loss.name));
    let step = with.steps.iter().find(uses);
    if step.is_none() && !writes {
        return false;
    }
    let mut plans = workshop.plans_after(&format!("DROP INDEX main.{}", quoted(&loss.name)), &[sql]);
    match plans.pop() {
        Some(Some(without)) => step.is_some_and(|step| weigh::improves(&without, with, step)),
        Some(None) => true,
        None => false,
    }
}

/// Whether a statement would be planned better with the index that was lost.
fn is_better_with(loss: &Loss, sql: &str, workshop: &mut Workshop<'_>) -> bool {
    let terms: Vec<String> = loss.terms.iter().cloned().collect();
    let Some(before) = workshop.plan(sql) else { return false };
    let Some(after) = workshop.plan_with("main", &loss.table, &terms, sql) else { return false };
    let step = weigh::trial_step(&after).filter(|step| matches!(step.op, Op::Search | Op::Scan));
    step.is_some_and(|step| weigh::improves(&before, &after, step))
}

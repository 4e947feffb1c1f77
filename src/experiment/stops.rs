//! What an interrupted unit leaves, and what a second run of the open path finds.

use super::{Experiment, Loss, LossKind, On, scene::Scene, unit::Unit};
use crate::{
    migration::{Runs, mentions},
    schema::{
        Kind, Live, Refusal, RefusalKind, SchemaError, qualified,
        rehearsal::{At, Manner, Ran, Rehearsal},
        same,
        sqlite::types::Value,
        statements,
        variant::Outcome,
    },
};
use std::collections::BTreeSet;

/// The most statements of a unit after which it is stopped.
const STOPS: usize = 48;

/// Ends a unit that no transaction holds together before each of its statements, then behind the last, and runs what that
/// leaves `again`: the first end that leaves a database on which the unit fails, and why. Ends when so many steps were taken.
pub(super) fn stop(
    live: &mut Live,
    again: &mut Live,
    scene: &Scene<'_>,
    whole: &Rehearsal,
    limit: u64,
) -> Result<Option<(At, On, Refusal)>, SchemaError> {
    let is_migration = scene.unit.steps.first().is_some_and(|(_, step)| step.runs == Runs::Migration);
    if scene.unit.wrapped() != Some(false) || !is_migration || !scene.forgiven.is_empty() {
        return Ok(None);
    }
    // Within a transaction of its own, nothing stays; and what changes nothing can be left out.
    let is_stop = |ran: &&Ran| !ran.within && ran.effect().is_some_and(|effect| effect.changed);
    let limit = limit.saturating_add(again.spent());
    let mut from = None;
    let stops = whole.ran.iter().skip(1).filter(is_stop).take(STOPS);
    let last = unrecorded(scene, whole);
    let manner = Manner { forgiven: asked_first(scene, whole), ..scene.manner() };
    for (at, on) in stops.map(|ran| (ran.at(), On::Stopped)).chain(last.map(|at| (at, On::Unrecorded))) {
        if live.spent().saturating_add(again.spent()) > limit {
            break;
        }
        if from.is_none() {
            scene.set(live, &[])?;
        }
        live.rehearse(
            &scene.parts,
            &Manner { from, until: (on == On::Stopped).then_some(at), ..scene.manner() },
        );
        from = Some(at);
        again.restore(&live.image()?)?;
        again.reconnect()?;
        if let Some((_, refusal)) = again.rehearse(&scene.parts, &manner).failure() {
            return Ok(Some((at, on, refusal.clone())));
        }
    }
    Ok(None)
}

/// The statements that do not run where what they add is there, or fail there at each start.
fn asked_first(scene: &Scene<'_>, whole: &Rehearsal) -> BTreeSet<At> {
    let is_asked = |at: &At| {
        let step = scene.unit.steps.get(at.0).map(|(_, step)| step);
        step.is_some_and(|step| step.is_in_creation && Kind::of(step.text.as_str()) == Kind::AlterTable)
    };
    whole.ran.iter().map(Ran::at).filter(is_asked).collect()
}

/// The last statement of a unit that changes anything, if what records the unit's version runs behind it, and in no transaction
/// with it.
fn unrecorded(scene: &Scene<'_>, whole: &Rehearsal) -> Option<At> {
    let last = whole.ran.iter().rev().find(|ran| ran.effect().is_some_and(|effect| effect.changed))?;
    (scene.unit.is_counted() && !last.within).then(|| last.at())
}

/// Whether a unit runs at every open, whatever is there.
pub(super) fn runs_again(unit: &Unit<'_>) -> bool {
    unit.is_known() && unit.steps.iter().all(|(_, step)| step.runs == Runs::Open && step.unless.is_empty())
}

/// Runs what runs at every open once more, on what all steps have made. Told is what that shows only where it `is_sure` that it
/// does run: code that is guessed to may look first.
pub(super) fn reopen(
    (database, outcomes): (usize, &[Outcome]),
    is_sure: bool,
    units: &[Unit<'_>],
    live: &mut Live,
    found: &mut Vec<Experiment>,
) {
    for (number, step) in units.iter().filter(|unit| runs_again(unit)).flat_map(|unit| &unit.steps) {
        let shown = open_again(live, step.text.as_str());
        let told = shown.into_iter().filter(|_| is_sure);
        found.extend(told.filter_map(|(start, refusal, losses)| {
            let is_it = |one: &Outcome| one.step == *number && one.applied.start == start;
            let outcome = outcomes.iter().position(is_it)?;
            let worked = outcomes.get(outcome).is_some_and(|one| one.applied.outcome.is_ok());
            let on = On::Reopened;
            // What failed the first time says nothing by failing again.
            (worked || refusal.is_none()).then_some(Experiment { database, outcome, on, refusal, losses })
        }));
    }
}

/// A statement, why it failed, and what it lost.
type Shown = (usize, Option<Refusal>, Vec<Loss>);

/// What a text does that was run before: the statement that fails for what is there, or those that add rows.
fn open_again(live: &mut Live, text: &str) -> Vec<Shown> {
    let written: Vec<String> = statements(text)
        .filter_map(|(start, end)| text.get(start..end))
        .filter(|sql| Kind::of(sql) == Kind::Insert)
        .flat_map(|sql| mentions(sql).used)
        .collect();
    let before: Vec<Option<Value>> = written.iter().map(|table| count(live, table)).collect();
    let rehearsal = live.rehearse(&[text], &Manner::default());
    if let Some((ran, refusal)) = rehearsal.failure() {
        let is_there = matches!(
            refusal.kind,
            RefusalKind::AlreadyExists(_) | RefusalKind::DuplicateColumn(_) | RefusalKind::Constraint
        );
        return if is_there { vec![(ran.at().1, Some(refusal.clone()), Vec::new())] } else { Vec::new() };
    }
    // What is bound when it runs is not known.
    let tables = written.iter().zip(before).filter(|_| !text.contains('?'));
    let grown = tables.filter(|(table, before)| count(live, table) != *before).map(|(table, _)| table);
    let of_table = |table: &String| {
        let wrote = rehearsal.ran.iter().find(|ran| {
            let insert = ran.effect().filter(|effect| effect.kind == Kind::Insert && effect.changed);
            insert.and_then(|effect| effect.object.as_deref()).is_some_and(|name| same(name, table))
        })?;
        let text = Some("rows are added each time".to_owned());
        let loss = Loss { kind: LossKind::Rows, table: Some(table.clone()), object: None, text };
        Some((wrote.at().1, None, vec![loss]))
    };
    grown.filter_map(of_table).collect()
}

/// How many rows a table has; `None` where there is none.
fn count(live: &mut Live, table: &str) -> Option<Value> {
    let sql = format!("SELECT count(*) FROM {}", qualified("main", table));
    live.ask(&sql, 1).ok().and_then(|rows| rows.into_iter().flatten().next())
}

//! What an interrupted unit leaves, and what a second run of the open path finds.

use super::{
    Experiment, Loss, LossKind, On,
    unit::Unit,
    walk::{Ground, Scene},
};
use crate::{
    migration::{Declaration, Origin, Runs},
    schema::{
        Kind, Live, Refusal, RefusalKind, SchemaError,
        rehearsal::{At, Manner, Ran, Rehearsal},
    },
};

/// The most statements of a unit after which it is stopped.
const STOPS: usize = 48;

/// Ends a unit that no transaction holds together before each of its statements, and runs it again: the first statement
/// before which the end leaves a database on which it fails, and why. Ends when so many steps were taken.
pub(super) fn stop(
    stage: &mut Live,
    scene: &Scene<'_>,
    whole: &Rehearsal,
    limit: u64,
) -> Result<Option<(At, Refusal)>, SchemaError> {
    let is_migration = scene.unit.steps.first().is_some_and(|(_, step)| step.runs == Runs::Migration);
    if scene.unit.wrapped() != Some(false) || !is_migration || !scene.forgiven.is_empty() {
        return Ok(None);
    }
    // Within a transaction of its own, nothing stays; and what changes nothing can be left out.
    let is_stop = |ran: &&Ran| !ran.within && ran.effect().is_some_and(|effect| effect.changed);
    for ran in whole.ran.iter().skip(1).filter(is_stop).take(STOPS) {
        if stage.spent() > limit {
            break;
        }
        scene.set(stage, &[])?;
        stage.rehearse(&scene.parts, &Manner { until: Some(ran.at()), ..scene.manner() });
        stage.reconnect()?;
        let again = stage.rehearse(&scene.parts, &scene.manner());
        if let Some((_, refusal)) = again.failure() {
            return Ok(Some((ran.at(), refusal.clone())));
        }
    }
    Ok(None)
}

/// Runs what runs at every open once more, on what all steps have made.
pub(super) fn reopen(
    ground: Ground<'_>,
    declaration: &Declaration,
    units: &[Unit<'_>],
    live: &mut Live,
    found: &mut Vec<Experiment>,
) {
    let index = ground.index;
    let is_sure = declaration.origin == Origin::Configured;
    for unit in units {
        let runs = unit.steps.iter().all(|(_, step)| step.runs == Runs::Open && step.unless.is_empty());
        if !runs || !unit.is_known() {
            continue;
        }
        let parts = unit.parts();
        let counted = |live: &mut Live, table: &str| {
            let sql = format!("SELECT count(*) FROM {}", crate::schema::qualified("main", table));
            live.ask(&sql, 1).ok().and_then(|rows| rows.into_iter().flatten().next())
        };
        for (part, (number, step)) in unit.steps.iter().enumerate() {
            let Some(text) = parts.get(part) else { continue };
            let written: Vec<String> = crate::schema::statements(text)
                .filter_map(|(start, end)| text.get(start..end))
                .filter(|sql| Kind::of(sql) == Kind::Insert)
                .flat_map(|sql| crate::migration::mentions(sql).used)
                .collect();
            let before: Vec<_> = written.iter().map(|table| counted(live, table)).collect();
            let rehearsal = live.rehearse(&[text], &Manner::default());
            let place = |start: usize| {
                let mut outcomes = ground.outcomes.iter();
                outcomes.position(|one| one.step == *number && one.applied.start == start)
            };
            let worked =
                |outcome: usize| ground.outcomes.get(outcome).is_some_and(|one| one.applied.outcome.is_ok());
            if let Some((ran, refusal)) = rehearsal.failure() {
                let is_there = matches!(
                    refusal.kind,
                    RefusalKind::AlreadyExists(_) | RefusalKind::DuplicateColumn(_) | RefusalKind::Constraint
                );
                // Code that is guessed to run at every open may look first.
                if let Some(outcome) = place(ran.at().1).filter(|at| is_there && is_sure && worked(*at)) {
                    let refusal = Some(refusal.clone());
                    let on = On::Reopened;
                    found.push(Experiment { database: index, outcome, on, refusal, losses: Vec::new() });
                }
                continue;
            }
            for (table, before) in written.iter().zip(before) {
                if !is_sure || step.text.as_str().contains('?') || counted(live, table) == before {
                    continue;
                }
                let wrote = rehearsal.ran.iter().find(|ran| {
                    let insert = ran.effect().filter(|effect| effect.kind == Kind::Insert && effect.changed);
                    let about = insert.and_then(|effect| effect.object.as_deref());
                    about.is_some_and(|name| name.eq_ignore_ascii_case(table))
                });
                let Some(outcome) = wrote.and_then(|ran| place(ran.at().1)) else { continue };
                let text = Some("rows are added each time".to_owned());
                let loss = Loss { kind: LossKind::Rows, table: Some(table.clone()), object: None, text };
                let losses = vec![loss];
                found.push(Experiment { database: index, outcome, on: On::Reopened, refusal: None, losses });
            }
        }
    }
}

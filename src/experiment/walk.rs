//! Goes through the steps of a database, one unit after the other, and hands each that rows matter to on, with the database
//! before it, to stages on which it runs beside the walk.

use super::{
    Experiment, Experiments, Loss, LossKind,
    scene::{Before, Room, Scene},
    stage::Stage,
    stops,
    unit::{Unit, units},
};
use crate::{
    migration::Origin,
    schema::{
        ForeignKey, Live, Moment, Objects, SchemaError,
        rehearsal::At,
        same,
        variant::{Outcome, run_step},
    },
    workload::{Database, likeliest},
};
use std::{
    collections::BTreeSet,
    panic::resume_unwind,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

/// Stages that run beside each other, and units that wait for one: what is held in memory.
const STAGES: usize = 2;
const WAITING: usize = 2;

/// Of so few units, one stage is enough.
const FEW: usize = 8;

/// A unit that waits for a stage.
pub(super) struct Turn<'a> {
    /// Its place among all.
    pub place: usize,
    pub unit: &'a Unit<'a>,
    pub before: Before<'a>,
    /// What fails without rows already.
    pub forgiven: BTreeSet<At>,
}

/// What is the same for all units of a database.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    /// The database.
    pub index: usize,
    /// What became of its statements.
    pub outcomes: &'a [Outcome],
    /// The tables that stay small, in lower case.
    pub small: &'a BTreeSet<String>,
}

impl Ground<'_> {
    /// The place of a statement of a step among what became of all.
    pub fn outcome(&self, step: usize, start: usize) -> Option<usize> {
        self.outcomes.iter().position(|one| one.step == step && one.applied.start == start)
    }
}

/// Runs the steps of a database on rows. What SQLite has no memory for is left out.
pub(super) fn walk(index: usize, database: &Database, small: &BTreeSet<String>) -> Experiments {
    let units = units(database);
    let ground = Ground { index, outcomes: &database.variant.outcomes, small };
    let (live, mut found) = beside(database, &units, ground);
    // What was not walked to its end is known as far as that.
    if let Ok(mut live) = live {
        let is_sure = database.declaration.origin == Origin::Configured;
        stops::reopen(ground, is_sure, &units, &mut live, &mut found.all);
        if let Ok(end) = live.objects_of(&|_| false) {
            forgive_passing(&mut found.all, &end);
        }
    }
    found
}

/// Walks through units, and runs them beside that. Gives the database in the end.
fn beside(
    database: &Database,
    units: &[Unit<'_>],
    ground: Ground<'_>,
) -> (Result<Live, SchemaError>, Experiments) {
    let (turns, waiting) = mpsc::sync_channel::<Turn<'_>>(WAITING);
    let waiting = Mutex::new(waiting);
    let settings = database.variant.live.settings();
    thread::scope(|scope| {
        let work = || {
            let mut found: Vec<(usize, Experiments)> = Vec::new();
            let mut room = Room::open(settings).ok();
            loop {
                // The lock is held while one waits, and no longer.
                let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(turn) = next else { return found };
                let Some(room) = &mut room else { continue };
                // Of what can't be run, nothing is known.
                let Ok(Some(scene)) = room.scene(&turn) else { continue };
                let mut stage = Stage::new(ground, room, &scene);
                let _ = stage.examine();
                found.push((turn.place, stage.found));
            }
        };
        let stages = if units.len() < FEW { 1 } else { STAGES };
        let stages: Vec<_> = (0..stages).map(|_| scope.spawn(work)).collect();
        let send = |turn| turns.send(turn).is_ok();
        let live = hand_all_on(database, units, send);
        drop(turns);
        let ended = stages.into_iter().map(|stage| stage.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let mut found: Vec<(usize, Experiments)> = ended.flatten().collect();
        found.sort_by_key(|(place, _)| *place);
        (live, found.into_iter().map(|(_, one)| one).collect())
    })
}

/// Hands on the units that rows matter to, with the database before each, and gives it as it is in the end.
fn hand_all_on<'u>(
    database: &'u Database,
    units: &'u [Unit<'u>],
    mut send: impl FnMut(Turn<'u>) -> bool,
) -> Result<Live, SchemaError> {
    let Database { declaration, variant, .. } = database;
    let settings = variant.live.settings();
    // What was kept counts where the units run as the history did.
    let is_one = !database.is_snapshot && settings.attached.is_empty();
    let moments = if is_one { variant.moments.as_slice() } else { &[] };
    let known = units.partition_point(|unit| unit.first() < moments.len());
    let (kept, others) = units.split_at(known);
    if !hand_on(kept, moments, &variant.outcomes, &mut send) {
        return Live::open(settings);
    }
    // Of the unit in which nothing more was kept, the beginning was.
    let is_whole = moments.len() > declaration.steps.len();
    let again = kept.last().filter(|_| !is_whole);
    let from = again.map_or(moments.last(), |unit| moments.get(unit.first()));
    let mut live = Live::open(settings)?;
    live.use_small_pages()?;
    if let Some(moment) = from {
        live.excerpt(moment, &moment.tables())?;
    }
    if let Some(unit) = again {
        run(&mut live, unit);
    }
    for (place, unit) in others.iter().enumerate() {
        let turn = pass(&mut live, known + place, unit)?;
        if turn.is_some_and(|turn| !send(turn)) {
            break;
        }
    }
    Ok(live)
}

/// Hands on units with what was kept of the database before each, as long as they are taken.
fn hand_on<'u>(
    units: &'u [Unit<'u>],
    moments: &'u [Moment],
    outcomes: &[Outcome],
    send: &mut impl FnMut(Turn<'u>) -> bool,
) -> bool {
    for (place, unit) in units.iter().enumerate().filter(|(_, unit)| unit.is_tried()) {
        let moment = moments.get(unit.first()).filter(|moment| !moment.entries.is_empty());
        let Some(moment) = moment else { continue };
        let part = |one: &Outcome| unit.steps.iter().position(|(number, _)| *number == one.step);
        let failed = outcomes.iter().filter(|one| one.was_early || one.applied.outcome.is_err());
        let forgiven = failed.filter_map(|one| Some((part(one)?, one.applied.start))).collect();
        if !send(Turn { place, unit, before: Before::Moment(moment), forgiven }) {
            return false;
        }
    }
    true
}

/// Runs a unit on tables without rows; `None` where rows don't matter to it.
fn pass<'u>(live: &mut Live, place: usize, unit: &'u Unit<'u>) -> Result<Option<Turn<'u>>, SchemaError> {
    let before = if unit.is_tried() { Some(Before::Whole(live.image()?)) } else { None };
    let forgiven = run(live, unit);
    Ok(before.map(|before| Turn { place, unit, before, forgiven }))
}

/// Runs a unit, and gives what fails.
fn run(live: &mut Live, unit: &Unit<'_>) -> BTreeSet<At> {
    let mut failed = BTreeSet::new();
    for (part, (number, step)) in unit.steps.iter().enumerate() {
        let outcomes = run_step(live, *number, step, &likeliest);
        let refused = outcomes.iter().filter(|one| one.applied.outcome.is_err());
        failed.extend(refused.map(|one| (part, one.applied.start)));
    }
    failed
}

/// The scene of one unit of a database; `None` where rows don't matter to it.
pub(super) fn scene_of<'u>(
    database: &'u Database,
    units: &'u [Unit<'u>],
    wanted: usize,
) -> Result<Option<Scene<'u>>, SchemaError> {
    let mut found = None;
    let take = |turn: Turn<'u>| {
        let is_it = turn.place == wanted;
        found = is_it.then_some(turn);
        !is_it
    };
    hand_all_on(database, units, take)?;
    found.map_or(Ok(None), |turn| Room::open(database.variant.live.settings())?.scene(&turn))
}

/// Drops what a later step has mended: a reference, a view.
fn forgive_passing(found: &mut Vec<Experiment>, end: &Objects) {
    let still = |loss: &Loss| match loss.kind {
        LossKind::Reference => {
            let is_it =
                |wanted: &Option<String>, name: &str| wanted.as_deref().is_some_and(|one| same(one, name));
            let is_key =
                |key: &ForeignKey| is_it(&loss.table, &key.table) && is_it(&loss.object, &key.parent);
            end.foreign_keys.iter().any(is_key)
        }
        LossKind::View => {
            let is_it = |name: &str| loss.object.as_deref().is_some_and(|view| same(view, name));
            end.views.iter().any(|view| is_it(&view.name) && view.columns.is_empty())
        }
        _ => true,
    };
    for experiment in &mut *found {
        experiment.losses.retain(still);
    }
    found.retain(|one| one.refusal.is_some() || !one.losses.is_empty());
}

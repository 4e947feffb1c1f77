//! Goes through the steps of a database, one unit after the other, and hands each that rows matter to on, with the database
//! before it, to stages on which it runs beside the walk.

use super::{
    Experiment, Experiments, Loss, LossKind,
    stage::Stage,
    stops,
    unit::{Ties, Unit, units, with_ancestors},
};
use crate::{
    migration::{Origin, Runs},
    schema::{
        Entry, ForeignKey, Image, Live, Objects, SchemaError, Settings,
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

/// Stages that run beside each other, and databases that wait for one: what is held in memory.
const STAGES: usize = 2;
const WAITING: usize = 2;

/// Of so few units, one stage is enough.
const FEW: usize = 8;

/// So many tables that a unit can't reach are worth leaving out.
const SPARED: usize = 6;

/// A unit, and the database before it.
pub(super) struct Scene<'a> {
    pub unit: &'a Unit<'a>,
    pub parts: Vec<&'a str>,
    pub before: Image,
    /// The schema, of the tables that it can reach with their columns.
    pub objects: Objects,
    /// The tables that it can reach, in lower case.
    pub reach: BTreeSet<String>,
    /// What fails without rows already.
    pub forgiven: BTreeSet<At>,
    /// Whether a transaction is put around it.
    pub wrapped: bool,
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
    let settings = database.variant.live.settings().clone();
    let units = units(database);
    let ground = Ground { index, outcomes: &database.variant.outcomes, small };
    let (live, mut found) = beside(&settings, &units, ground);
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
    settings: &Settings,
    units: &[Unit<'_>],
    ground: Ground<'_>,
) -> (Result<Live, SchemaError>, Experiments) {
    let (scenes, waiting) = mpsc::sync_channel::<(usize, Scene<'_>)>(WAITING);
    let waiting = Mutex::new(waiting);
    thread::scope(|scope| {
        let work = || {
            let mut found: Vec<(usize, Experiments)> = Vec::new();
            let mut live = Live::open(settings).ok();
            loop {
                // The lock is held while one waits, and no longer.
                let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok((place, scene)) = next else { return found };
                let Some(live) = &mut live else { continue };
                let mut stage = Stage {
                    ground,
                    live,
                    scene: &scene,
                    found: Experiments::default(),
                    seeded: scene.reach.clone(),
                };
                // Of what can't be run, nothing is known.
                let _ = stage.examine();
                found.push((place, stage.found));
            }
        };
        let stages = if units.len() < FEW { 1 } else { STAGES };
        let stages: Vec<_> = (0..stages).map(|_| scope.spawn(work)).collect();
        let live = hand_on(settings, units, &scenes);
        drop(scenes);
        let ended = stages.into_iter().map(|stage| stage.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let mut found: Vec<(usize, Experiments)> = ended.flatten().collect();
        found.sort_by_key(|(place, _)| *place);
        (live, found.into_iter().map(|(_, one)| one).collect())
    })
}

/// Runs all units on tables without rows, and hands on those that rows matter to.
fn hand_on<'u>(
    settings: &Settings,
    units: &'u [Unit<'u>],
    scenes: &mpsc::SyncSender<(usize, Scene<'u>)>,
) -> Result<Live, SchemaError> {
    let mut live = Live::open(settings)?;
    live.use_small_pages()?;
    for (place, unit) in units.iter().enumerate() {
        if let Some(scene) = pass(&mut live, unit, SPARED)?
            && scenes.send((place, scene)).is_err()
        {
            break;
        }
    }
    Ok(live)
}

/// Runs a unit on tables without rows: which of its statements fail.
fn run(live: &mut Live, unit: &Unit<'_>) -> BTreeSet<At> {
    let mut failed = BTreeSet::new();
    for (part, (number, step)) in unit.steps.iter().enumerate() {
        let outcomes = run_step(live, *number, step, &likeliest);
        let refused = outcomes.iter().filter(|one| one.applied.outcome.is_err());
        failed.extend(refused.map(|one| (part, one.applied.start)));
    }
    failed
}

/// Runs a unit on tables without rows, and gives what it begins with; `None` where rows don't matter to it.
fn pass<'u>(live: &mut Live, unit: &'u Unit<'u>, spared: usize) -> Result<Option<Scene<'u>>, SchemaError> {
    let scene = scene(live, unit, spared)?;
    let forgiven = run(live, unit);
    Ok(scene.map(|scene| Scene { forgiven, ..scene }))
}

/// What a unit begins with; `None` where rows don't matter to it. More than `spared` tables that it can't reach are left out.
fn scene<'u>(live: &mut Live, unit: &'u Unit<'u>, spared: usize) -> Result<Option<Scene<'u>>, SchemaError> {
    let runs = unit.steps.first().map(|(_, step)| step.runs);
    if runs == Some(Runs::Create) || !unit.is_known() || !unit.is_risky() {
        return Ok(None);
    }
    let entries = live.entries()?;
    if entries.is_empty() {
        return Ok(None);
    }
    let ties = Ties::new(&entries);
    let reach = unit.reach(&ties);
    let needed = with_ancestors(&reach, &ties);
    let is_plain = live.settings().attached.is_empty() && !entries.iter().any(Entry::is_virtual);
    let mut part = None;
    if is_plain && ties.tables.len() > needed.len() + spared {
        let mut excerpt = Live::open(live.settings())?;
        excerpt.use_small_pages()?;
        part = live.excerpt(&entries, &needed, &mut excerpt)?.then_some(excerpt);
    }
    let live = part.as_mut().unwrap_or(live);
    let objects = live.objects_of(&|table| reach.contains(&table.to_lowercase()))?;
    Ok(Some(Scene {
        unit,
        parts: unit.parts(),
        before: live.image()?,
        objects,
        reach,
        forgiven: BTreeSet::new(),
        wrapped: unit.wrapped() == Some(true),
    }))
}

/// The scene of one unit of a declaration, with the database before it; `None` where rows don't matter to it.
pub(super) fn scene_of<'u>(
    settings: &Settings,
    units: &'u [Unit<'u>],
    wanted: &Unit<'_>,
) -> Result<Option<Scene<'u>>, SchemaError> {
    let mut live = Live::open(settings)?;
    let number = |unit: &Unit<'_>| unit.steps.first().map(|(number, _)| *number);
    for unit in units {
        if number(unit) == number(wanted) {
            return pass(&mut live, unit, 0);
        }
        run(&mut live, unit);
    }
    Ok(None)
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

//! Runs units on stages, beside who finds them and the database before each. Knows neither where they come from nor what a run
//! shows.

use super::{
    Experiment, Experiments, On, Rows,
    led::Led,
    scene::{Before, Room},
    stage::Stage,
    unit::Unit,
};
use crate::schema::{SchemaError, Settings, rehearsal::At, variant::Outcome};
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::resume_unwind,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver},
    },
    thread,
};

/// Stages that run beside each other, and units that wait for one: what is held in memory. With few of them, who finds the
/// units is woken and waits at each.
const STAGES: usize = 2;
const WAITING: usize = 16;

/// Of so few units, one stage is enough.
pub(super) const FEW: usize = 8;

/// A unit that waits for a stage.
pub(super) struct Turn<'a> {
    /// Its place among all.
    pub place: usize,
    pub unit: &'a Unit<'a>,
    pub before: Before,
    /// What fails without rows already.
    pub forgiven: BTreeSet<At>,
    /// Its statements, by their places among what became of all.
    pub outcomes: BTreeMap<At, usize>,
    /// The same with the units that lead to it.
    pub led: Option<Led<'a>>,
}

/// What is the same for all units of a database.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    /// The database.
    pub index: usize,
    /// The tables that stay small, in lower case; `None` where that is not known yet.
    pub small: Option<&'a BTreeSet<String>>,
}

impl<'a> Turn<'a> {
    pub fn new(place: usize, unit: &'a Unit<'a>, before: Before) -> Self {
        Self { place, unit, before, forgiven: BTreeSet::new(), outcomes: BTreeMap::new(), led: None }
    }

    /// Takes from what became of all statements what is its own.
    pub fn of(place: usize, unit: &'a Unit<'a>, before: Before, outcomes: &[Outcome]) -> Self {
        let mut turn = Self::new(place, unit, before);
        turn.note(0, outcomes);
        turn
    }

    /// Takes from what became of statements, of which the first has this place among all, what is its own.
    pub fn note(&mut self, first: usize, outcomes: &[Outcome]) {
        let part = |one: &Outcome| self.unit.steps.iter().position(|(number, _)| *number == one.step);
        for (place, one) in (first..).zip(outcomes) {
            let Some(part) = part(one) else { continue };
            let at = (part, one.applied.start);
            self.outcomes.entry(at).or_insert(place);
            if one.was_early || one.applied.outcome.is_err() {
                self.forgiven.insert(at);
            }
        }
    }
}

/// Runs the units that `lead` hands on, `all` of them at the most. Gives what it gives, and what each unit showed, by its place.
pub(super) fn staged<'u, T>(
    settings: &Settings,
    ground: Ground<'_>,
    all: usize,
    lead: impl FnOnce(&mut dyn FnMut(Turn<'u>) -> bool) -> T,
) -> (T, BTreeMap<usize, Experiments>) {
    let (turns, waiting) = mpsc::sync_channel::<Turn<'u>>(WAITING);
    let waiting = Arc::new(Mutex::new(waiting));
    let work = |waiting: Arc<Mutex<Receiver<Turn<'u>>>>| {
        let mut found: Vec<(usize, Experiments)> = Vec::new();
        let mut room = None;
        loop {
            // The lock is held while one waits, and no longer.
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(turn) = next else { return found };
            // Of what can't be run, nothing is known.
            if let Ok(Some(shown)) = examine(&mut room, settings, ground, turn) {
                found.push(shown);
            }
        }
    };
    thread::scope(|scope| {
        let stages = if all < FEW { all.min(1) } else { STAGES };
        let stage = |_| {
            let waiting = Arc::clone(&waiting);
            let work = &work;
            scope.spawn(move || work(waiting))
        };
        let stages: Vec<_> = (0..stages).map(stage).collect();
        // Where all stages have ended, be it by a panic, nobody waits for them.
        drop(waiting);
        let given = lead(&mut |turn| turns.send(turn).is_ok());
        drop(turns);
        let ended = stages.into_iter().map(|stage| stage.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (given, ended.flatten().collect())
    })
}

/// Runs a unit in a room, which the first one opens; `None` where rows don't matter to it, or it is too early to say.
fn examine(
    room: &mut Option<Room>,
    settings: &Settings,
    ground: Ground<'_>,
    mut turn: Turn<'_>,
) -> Result<Option<(usize, Experiments)>, SchemaError> {
    let room = match room {
        Some(room) => room,
        none => none.insert(Room::open(settings)?),
    };
    let place = turn.place;
    let led = turn.led.take();
    let Some(scene) = room.scene(turn)? else { return Ok(None) };
    let mut stage = Stage::new(ground, room, &scene);
    let _ = stage.examine();
    let (mut is_early, mut found) = (stage.is_early, stage.found);
    if found.all.iter().any(fails_on_duplicates) {
        // What leads to it is behind it, while the schema is made.
        is_early |= ground.small.is_none();
        let led = led.as_ref().map(|Led { unit, before, forgiven }| {
            let forgiven = forgiven.clone();
            Turn { forgiven, ..Turn::new(place, unit, before.clone()) }
        });
        if let Some(led) = led
            && let Some(scene) = room.scene(led)?
            && scene.takes_duplicates(&mut room.live)?
        {
            found.all.retain(|one| !fails_on_duplicates(one));
        }
    }
    Ok((!is_early).then_some((place, found)))
}

fn fails_on_duplicates(one: &Experiment) -> bool {
    one.on == On::Seeded(Rows::Duplicates) && one.refusal.is_some()
}

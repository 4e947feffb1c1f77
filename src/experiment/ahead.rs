//! Runs the units of a history on rows while its schema is still being made: what is there before each is known by then. What
//! needs more than that, and what another schema took the place of, is left to the walk.

use super::{
    Experiments,
    scene::Before,
    staged::{FEW, Ground, Turn, staged},
    unit::{Unit, units_of},
};
use crate::{
    migration::Declaration,
    schema::{
        SchemaError, Settings,
        variant::{self, Making, Variant},
    },
    workload::likeliest,
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// What is known before it is asked for, by the place of the database among all.
#[derive(Debug, Default)]
pub struct Ahead(Mutex<BTreeMap<usize, Course>>);

/// The units of one database that were run.
#[derive(Debug)]
pub(super) struct Course {
    /// Of so many steps.
    steps: usize,
    /// What each showed, by its place.
    found: BTreeMap<usize, Experiments>,
}

impl Course {
    /// What the units showed, if they are these.
    pub fn of(self, units: &[Unit<'_>]) -> BTreeMap<usize, Experiments> {
        let steps: usize = units.iter().map(|unit| unit.steps.len()).sum();
        if steps == self.steps { self.found } else { BTreeMap::new() }
    }
}

impl Ahead {
    /// Makes the schema of a declaration, and runs its units beside that, where there are more than a few.
    ///
    /// # Errors
    /// As [`variant::build`].
    pub fn make(
        &self,
        index: usize,
        declaration: &Declaration,
        settings: &Settings,
    ) -> Result<Variant, SchemaError> {
        let units = units_of(&declaration.steps, &|_| true);
        if units.iter().filter(|unit| unit.is_tried()).count() < FEW {
            return variant::build(declaration, settings, &likeliest);
        }
        let ground = Ground { index, small: None };
        let (made, found) = staged(settings, ground, units.len(), |send| {
            let mut walk = Walk { units: &units, begun: 0, place: 0, outcomes: 0, turn: None };
            let made = variant::build_telling(declaration, settings, &likeliest, &mut |making| {
                if let Some(turn) = walk.turn(making) {
                    send(turn);
                }
            });
            made.map(|variant| (variant, walk.begun == 1))
        });
        let (variant, is_first) = made?;
        // Where it began anew, it ran with other settings.
        if is_first {
            let course = Course { steps: declaration.steps.len(), found };
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(index, course);
        }
        Ok(variant)
    }

    /// What is known of a database.
    pub(super) fn take(&self, index: usize) -> Option<Course> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&index)
    }
}

/// Goes from unit to unit with the steps that run.
struct Walk<'u> {
    units: &'u [Unit<'u>],
    /// How often the schema was begun.
    begun: usize,
    /// The unit that runs.
    place: usize,
    /// What became of statements so far.
    outcomes: usize,
    /// The same, where rows matter to it.
    turn: Option<Turn<'u>>,
}

impl<'u> Walk<'u> {
    /// The unit that has run to its end.
    fn turn(&mut self, making: Making<'_>) -> Option<Turn<'u>> {
        let Making::Ran { step, before, outcomes } = making else {
            self.begun += 1;
            return None;
        };
        if self.begun > 1 {
            return None;
        }
        let unit = self.units.get(self.place)?;
        if unit.first() == step && unit.is_tried() && !before.entries.is_empty() {
            self.turn = Some(Turn::new(self.place, unit, Before::Moment(before.clone())));
        }
        if let Some(turn) = &mut self.turn {
            turn.note(self.outcomes, outcomes);
        }
        self.outcomes += outcomes.len();
        if unit.steps.last().is_some_and(|(last, _)| *last > step) {
            return None;
        }
        self.place += 1;
        self.turn.take()
    }
}

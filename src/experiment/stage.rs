//! Runs one unit on rows, and tells what that shows.

use super::{
    Backfill, Experiment, Experiments, Loss, LossKind, On, Rows, backfill, compare,
    copies::{Deeds, same},
    down,
    observe::{self, State},
    seeds, stops,
    walk::{Ground, Scene},
};
use crate::migration::Runs;
use crate::schema::{
    Alteration, Kind, Live, Objects, Refusal, RefusalKind, SchemaError,
    rehearsal::{At, Manner, Ran, Rehearsal, is_of_file},
    variant::Outcome,
};
use std::collections::{BTreeMap, BTreeSet};

/// The kinds of rows that are not plain.
const ODD: [Rows; 3] = [Rows::Duplicates, Rows::Nulls, Rows::Types];

/// What SQLite says where rows break a constraint that their table gets by ALTER TABLE.
const ADDED: &str = "constraint failed";

/// A unit, and a database to run it on.
pub(super) struct Stage<'a> {
    pub ground: Ground<'a>,
    pub live: &'a mut Live,
    pub scene: &'a Scene<'a>,
    pub found: Experiments,
}

/// A run of a unit, and the database before and after.
pub(super) struct Shot {
    pub before: State,
    pub after: State,
    pub rehearsal: Rehearsal,
}

impl Scene<'_> {
    /// How the unit is run to its end.
    pub fn manner(&self) -> Manner {
        Manner { wrapped: self.wrapped, forgiven: self.forgiven.clone(), ..Manner::default() }
    }

    /// Puts rows before the unit.
    pub fn set(&self, live: &mut Live, rows: &[Rows]) -> Result<BTreeMap<String, usize>, SchemaError> {
        live.restore(&self.before)?;
        seeds::seed(live, &self.objects, &self.reach, rows)
    }

    /// Runs it on plain rows, and looks before and after.
    pub fn shoot(&self, live: &mut Live) -> Result<Shot, SchemaError> {
        self.set(live, &[])?;
        let before = observe::observe(live, self.objects.clone(), &self.reach);
        let rehearsal = live.rehearse(&self.parts, &self.manner());
        // What is made or named anew is looked at, too.
        let mut tables = self.reach.clone();
        for effect in rehearsal.ran.iter().filter_map(Ran::effect) {
            tables.extend(effect.object.iter().map(|name| name.to_lowercase()));
            if let Some(Alteration::RenameTable(to)) = &effect.alteration {
                tables.insert(to.to_lowercase());
            }
        }
        let objects = live.objects_of(&|table| tables.contains(&table.to_lowercase()))?;
        let after = observe::observe(live, objects, &tables);
        Ok(Shot { before, after, rehearsal })
    }
}

impl Stage<'_> {
    /// Runs the unit in all ways that may show something.
    pub fn examine(&mut self) -> Result<(), SchemaError> {
        let scene = self.scene;
        let rehearsal = if scene.unit.can_lose() {
            let shot = scene.shoot(self.live)?;
            if self.fails_on_rows(&shot.rehearsal)? {
                return Ok(());
            }
            self.compare(&shot);
            shot.rehearsal
        } else {
            scene.set(self.live, &[])?;
            let rehearsal = self.live.rehearse(&scene.parts, &scene.manner());
            let damage = observe::damage(self.live, &scene.reach);
            if self.fails_on_rows(&rehearsal)? {
                return Ok(());
            }
            let state = || State { objects: scene.objects.clone(), ..State::default() };
            self.compare(&Shot {
                before: state(),
                after: State { damage, ..state() },
                rehearsal: rehearsal.clone(),
            });
            rehearsal
        };
        if scene.unit.reads_values() {
            self.odd()?;
        }
        if let Some((at, refusal)) = stops::stop(self.live, scene, &rehearsal)? {
            self.fails(at, On::Stopped, refusal);
        }
        if let Some((at, losses)) = down::undo(self.live, scene)? {
            self.loses(at, On::Undone, losses);
        }
        for (at, backfill) in backfill::measure(self.live, scene, &rehearsal, self.ground.small)? {
            if let Some(outcome) = self.outcome(at) {
                let database = self.ground.index;
                self.found.backfills.push(Backfill { database, outcome, ..backfill });
            }
        }
        Ok(())
    }

    /// Whether it fails on plain rows, which is told if it says something.
    fn fails_on_rows(&mut self, rehearsal: &Rehearsal) -> Result<bool, SchemaError> {
        let Some((ran, refusal)) = rehearsal.failure() else { return Ok(false) };
        if is_telling(self.scene, rehearsal, ran, refusal) {
            let on = if self.fails_empty(ran.at())? { On::Empty } else { On::Seeded(Rows::Plain) };
            self.fails(ran.at(), on, refusal.clone());
        }
        Ok(true)
    }

    fn compare(&mut self, shot: &Shot) {
        let deeds = Deeds { parts: &self.scene.parts, rehearsal: &shot.rehearsal };
        // What every open sets comes before the first table of a new database.
        let is_opening = self.scene.unit.steps.iter().any(|(_, step)| step.runs == Runs::Open);
        let mut losses: BTreeMap<usize, Vec<Loss>> = BTreeMap::new();
        let mut found = compare::losses(&deeds, &shot.before, &shot.after, self.scene.forgiven.is_empty());
        found.retain(|(_, loss)| {
            let pragma = loss.object.as_deref().unwrap_or("");
            !is_opening || loss.kind != LossKind::Setting || !is_of_file(pragma)
        });
        for (at, loss) in found {
            losses.entry(at).or_default().push(loss);
        }
        for (at, losses) in losses {
            if let Some(ran) = shot.rehearsal.ran.get(at) {
                self.loses(ran.at(), On::Seeded(Rows::Plain), losses);
            }
        }
    }

    /// Runs it on rows that are not plain: all kinds together, and apart where that fails.
    fn odd(&mut self) -> Result<(), SchemaError> {
        let scene = self.scene;
        scene.set(self.live, &ODD)?;
        if self.live.rehearse(&scene.parts, &scene.manner()).is_complete() {
            return Ok(());
        }
        for odd in ODD {
            scene.set(self.live, &[odd])?;
            let rehearsal = self.live.rehearse(&scene.parts, &scene.manner());
            if let Some((ran, refusal)) = rehearsal.failure()
                && is_about(ran, odd)
            {
                self.fails(ran.at(), On::Seeded(odd), refusal.clone());
            }
        }
        Ok(())
    }

    /// Whether the unit fails at this statement without any row: then it is the transaction around it that forbids it.
    fn fails_empty(&mut self, at: At) -> Result<bool, SchemaError> {
        if !self.scene.wrapped {
            return Ok(false);
        }
        self.live.restore(&self.scene.before)?;
        let rehearsal = self.live.rehearse(&self.scene.parts, &self.scene.manner());
        Ok(rehearsal.failure().is_some_and(|(ran, _)| ran.at() == at))
    }

    /// The place of a statement among what became of the schema's.
    fn outcome(&self, (part, start): At) -> Option<usize> {
        let (step, _) = self.scene.unit.steps.get(part)?;
        let is_it = |one: &Outcome| one.step == *step && one.applied.start == start;
        self.ground.outcomes.iter().position(is_it)
    }

    fn fails(&mut self, at: At, on: On, refusal: Refusal) {
        if let Some(outcome) = self.outcome(at) {
            let (database, refusal) = (self.ground.index, Some(refusal));
            self.found.all.push(Experiment { database, outcome, on, refusal, losses: Vec::new() });
        }
    }

    fn loses(&mut self, at: At, on: On, losses: Vec<Loss>) {
        if let Some(outcome) = self.outcome(at) {
            let database = self.ground.index;
            self.found.all.push(Experiment { database, outcome, on, refusal: None, losses });
        }
    }
}

/// Whether a failure on plain rows tells of any rows, and not of the values that were made up.
fn is_telling(scene: &Scene<'_>, rehearsal: &Rehearsal, ran: &Ran, refusal: &Refusal) -> bool {
    let deeds = Deeds { parts: &scene.parts, rehearsal };
    let kind = Kind::of(deeds.sql(ran));
    let is_end = ran.applied.outcome.is_ok();
    match &refusal.kind {
        RefusalKind::Limit(_) => true,
        RefusalKind::Constraint if is_end => drops_parent(&deeds, &scene.objects),
        RefusalKind::Constraint => match kind {
            // A constraint on columns that are there depends on what is in them.
            Kind::AlterTable => refusal.message != ADDED,
            Kind::DropTable | Kind::CreateIndex => true,
            // A value that is left out is missing for every row; all others depend on what is copied.
            Kind::Insert | Kind::Replace => {
                let place = rehearsal.ran.len().saturating_sub(1);
                let column = refusal.message.rsplit('.').next().unwrap_or("").to_lowercase();
                let named = deeds.columns(place);
                refusal.message.starts_with("NOT NULL") && named.is_some_and(|named| !named.contains(&column))
            }
            Kind::Delete => refusal.message.starts_with("FOREIGN KEY"),
            _ => false,
        },
        RefusalKind::Other => kind == Kind::AlterTable || (scene.wrapped && kind != Kind::Insert),
        _ => false,
    }
}

/// Whether a table is dropped that others refer to.
fn drops_parent(deeds: &Deeds<'_>, before: &Objects) -> bool {
    let dropped =
        deeds.rehearsal.ran.iter().filter_map(Ran::effect).filter(|effect| effect.kind == Kind::DropTable);
    let names: BTreeSet<&str> = dropped.filter_map(|effect| effect.object.as_deref()).collect();
    before.foreign_keys.iter().any(|key| names.iter().any(|name| same(name, &key.parent)))
}

/// Whether a failure on rows of this kind is one that they explain.
fn is_about(ran: &Ran, odd: Rows) -> bool {
    let message = ran.applied.outcome.as_ref().err().map_or("", |refusal| refusal.message.as_str());
    match odd {
        Rows::Duplicates => message.starts_with("UNIQUE"),
        Rows::Nulls => message.starts_with("NOT NULL") || message == ADDED,
        Rows::Types => message.starts_with("cannot store") || message == "datatype mismatch",
        Rows::Plain => false,
    }
}

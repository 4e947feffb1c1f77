//! Goes through the steps of a database, one unit after the other, and runs each on rows.

use super::{
    Experiment, Experiments, Loss, LossKind, On, Rows, backfill, compare,
    copies::{Deeds, same},
    down, observe, seeds, stops,
    unit::{Unit, units},
};
use crate::{
    migration::Runs,
    schema::{
        Image, Kind, Live, Objects, Refusal, RefusalKind, SchemaError,
        rehearsal::{At, Manner, Ran, Rehearsal},
        variant::{Outcome, run_step},
    },
    workload::{Database, likeliest},
};
use std::collections::{BTreeMap, BTreeSet};

/// The kinds of rows that are not plain.
const ODD: [Rows; 3] = [Rows::Duplicates, Rows::Nulls, Rows::Types];

/// Runs the steps of a database on rows. What SQLite has no memory for is left out.
pub(super) fn walk(index: usize, database: &Database, small: &BTreeSet<String>) -> Experiments {
    let mut walker = Walker { index, database, small, found: Experiments::default() };
    // Nothing is known of what can't be run.
    let _ = walker.run();
    walker.found
}

struct Walker<'a> {
    index: usize,
    database: &'a Database,
    /// The tables that stay small, in lower case.
    small: &'a BTreeSet<String>,
    found: Experiments,
}

/// A unit, and the database before it.
pub(super) struct Scene<'a> {
    pub unit: &'a Unit<'a>,
    pub parts: Vec<&'a str>,
    pub before: Image,
    pub objects: Objects,
    /// The tables that it can reach.
    pub reach: BTreeSet<String>,
    /// What fails without rows already.
    pub forgiven: BTreeSet<At>,
    /// Whether a transaction is put around it.
    pub wrapped: bool,
}

/// A run of a unit, and the database before and after.
pub(super) struct Shot {
    pub before: observe::State,
    pub after: observe::State,
    pub rehearsal: Rehearsal,
}

impl Scene<'_> {
    /// How the unit is run to its end.
    pub fn manner(&self) -> Manner {
        Manner { wrapped: self.wrapped, forgiven: self.forgiven.clone(), until: None }
    }

    /// Puts rows before the unit.
    pub fn set(&self, stage: &mut Live, rows: &[Rows]) -> Result<BTreeMap<String, usize>, SchemaError> {
        stage.restore(&self.before)?;
        seeds::seed(stage, &self.objects, &self.reach, rows)
    }

    /// Runs it on rows, and looks before and after.
    pub fn shoot(&self, stage: &mut Live, rows: &[Rows]) -> Result<Shot, SchemaError> {
        self.set(stage, rows)?;
        let before = observe::observe(stage, self.objects.clone(), &self.reach);
        let rehearsal = stage.rehearse(&self.parts, &self.manner());
        let objects = stage.objects()?;
        let mut tables = self.reach.clone();
        // What is made or named anew is looked at, too.
        tables.extend(rehearsal.ran.iter().filter_map(Ran::effect).flat_map(|effect| {
            let renamed = match &effect.alteration {
                Some(crate::schema::Alteration::RenameTable(to)) => Some(to.to_lowercase()),
                _ => None,
            };
            renamed.into_iter().chain(effect.object.iter().map(|name| name.to_lowercase()))
        }));
        let after = observe::observe(stage, objects, &tables);
        Ok(Shot { before, after, rehearsal })
    }
}

impl Walker<'_> {
    fn run(&mut self) -> Result<(), SchemaError> {
        let database = self.database;
        let settings = database.variant.live.settings().clone();
        let mut live = Live::open(&settings)?;
        let mut stage = Live::open(&settings)?;
        for unit in &units(database) {
            let scene = self.scene(&mut live, unit)?;
            let mut failed = BTreeSet::new();
            for (part, (number, step)) in unit.steps.iter().enumerate() {
                let outcomes = run_step(&mut live, *number, step, &likeliest);
                let refused = outcomes.iter().filter(|one| one.applied.outcome.is_err());
                failed.extend(refused.map(|one| (part, one.applied.start)));
            }
            if let Some(scene) = scene {
                self.examine(&mut stage, &Scene { forgiven: failed, ..scene })?;
            }
        }
        stops::reopen(self.index, database, &mut live, &mut self.found.all);
        let end = live.objects()?;
        self.forgive_passing(&end);
        Ok(())
    }

    /// What a unit begins with; `None` where rows don't matter to it.
    fn scene<'u>(&self, live: &mut Live, unit: &'u Unit<'u>) -> Result<Option<Scene<'u>>, SchemaError> {
        let runs = unit.steps.first().map(|(_, step)| step.runs);
        if runs == Some(Runs::Create) || !unit.is_known() || !unit.is_risky() {
            return Ok(None);
        }
        let objects = live.objects()?;
        let reach = unit.reach(&objects);
        if objects.tables.is_empty() {
            return Ok(None);
        }
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

    fn examine(&mut self, stage: &mut Live, scene: &Scene<'_>) -> Result<(), SchemaError> {
        let shot = scene.shoot(stage, &[])?;
        if let Some((ran, refusal)) = shot.rehearsal.failure() {
            let (at, refusal) = (ran.at(), refusal.clone());
            if is_telling(scene, &shot, ran, &refusal) {
                let on = if fails_empty(stage, scene, at)? { On::Empty } else { On::Seeded(Rows::Plain) };
                self.fails(scene, at, on, refusal);
            }
            return Ok(());
        }
        let deeds = Deeds { parts: &scene.parts, rehearsal: &shot.rehearsal };
        let mut losses: BTreeMap<usize, Vec<Loss>> = BTreeMap::new();
        for (at, loss) in compare::losses(&deeds, &shot.before, &shot.after, scene.forgiven.is_empty()) {
            losses.entry(at).or_default().push(loss);
        }
        for (at, losses) in losses {
            let Some(ran) = shot.rehearsal.ran.get(at) else { continue };
            self.loses(scene, ran.at(), On::Seeded(Rows::Plain), losses);
        }
        if scene.unit.reads_values() {
            self.odd(stage, scene)?;
        }
        if let Some((at, refusal)) = stops::stop(stage, scene, &shot)? {
            self.fails(scene, at, On::Stopped, refusal);
        }
        if let Some((at, losses)) = down::undo(stage, scene)? {
            self.loses(scene, at, On::Undone, losses);
        }
        for (at, backfill) in backfill::measure(stage, scene, &shot.rehearsal, self.small)? {
            if let Some(outcome) = self.outcome(scene, at) {
                self.found.backfills.push(backfill::Backfill { database: self.index, outcome, ..backfill });
            }
        }
        Ok(())
    }

    /// Runs it on rows that are not plain: all kinds together, and apart where that fails.
    fn odd(&mut self, stage: &mut Live, scene: &Scene<'_>) -> Result<(), SchemaError> {
        scene.set(stage, &ODD)?;
        if stage.rehearse(&scene.parts, &scene.manner()).is_complete() {
            return Ok(());
        }
        for odd in ODD {
            scene.set(stage, &[odd])?;
            let rehearsal = stage.rehearse(&scene.parts, &scene.manner());
            let Some((ran, refusal)) = rehearsal.failure() else { continue };
            let is_by_rows = !matches!(refusal.kind, RefusalKind::Limit(_));
            if is_by_rows && ran.applied.outcome.is_err() && is_about(ran, odd) {
                self.fails(scene, ran.at(), On::Seeded(odd), refusal.clone());
            }
        }
        Ok(())
    }

    /// The place of a statement among what became of the schema's.
    fn outcome(&self, scene: &Scene<'_>, (part, start): At) -> Option<usize> {
        let (step, _) = scene.unit.steps.get(part)?;
        let is_it = |one: &Outcome| one.step == *step && one.applied.start == start;
        self.database.variant.outcomes.iter().position(is_it)
    }

    fn fails(&mut self, scene: &Scene<'_>, at: At, on: On, refusal: Refusal) {
        if let Some(outcome) = self.outcome(scene, at) {
            let database = self.index;
            let one = Experiment { database, outcome, on, refusal: Some(refusal), losses: Vec::new() };
            self.found.all.push(one);
        }
    }

    fn loses(&mut self, scene: &Scene<'_>, at: At, on: On, losses: Vec<Loss>) {
        if let Some(outcome) = self.outcome(scene, at) {
            self.found.all.push(Experiment { database: self.index, outcome, on, refusal: None, losses });
        }
    }

    /// Drops what a later step has mended: a reference, a view.
    fn forgive_passing(&mut self, end: &Objects) {
        let is_there = |name: &str| {
            let mut names = end.tables.iter().map(|one| &one.name).chain(end.views.iter().map(|one| &one.name));
            names.any(|one| same(one, name))
        };
        let still = |loss: &Loss| match loss.kind {
            LossKind::Reference => {
                let is_key = |key: &crate::schema::ForeignKey| {
                    loss.table.as_deref().is_some_and(|table| same(table, &key.table))
                        && loss.object.as_deref().is_some_and(|parent| same(parent, &key.parent))
                };
                end.foreign_keys.iter().any(is_key)
            }
            LossKind::View => loss.object.as_deref().is_some_and(|view| {
                is_there(view) && end.views.iter().any(|one| same(&one.name, view) && one.columns.is_empty())
            }),
            _ => true,
        };
        for experiment in &mut self.found.all {
            experiment.losses.retain(still);
        }
        self.found.all.retain(|one| one.refusal.is_some() || !one.losses.is_empty());
    }
}

/// Whether a unit fails at this statement without any row: then it is the transaction around it that forbids it.
fn fails_empty(stage: &mut Live, scene: &Scene<'_>, at: At) -> Result<bool, SchemaError> {
    if !scene.wrapped {
        return Ok(false);
    }
    stage.restore(&scene.before)?;
    let rehearsal = stage.rehearse(&scene.parts, &scene.manner());
    Ok(rehearsal.failure().is_some_and(|(ran, _)| ran.at() == at))
}

/// Whether a failure on plain rows tells of any rows, and not of the values that were made up.
fn is_telling(scene: &Scene<'_>, shot: &Shot, ran: &Ran, refusal: &Refusal) -> bool {
    let deeds = Deeds { parts: &scene.parts, rehearsal: &shot.rehearsal };
    let sql = deeds.sql(ran);
    let kind = Kind::of(sql);
    let is_end = ran.applied.outcome.is_ok();
    match &refusal.kind {
        RefusalKind::Limit(_) => true,
        RefusalKind::Constraint if is_end => drops_parent(&deeds, &shot.before.objects),
        RefusalKind::Constraint => match kind {
            Kind::AlterTable | Kind::DropTable | Kind::CreateIndex => true,
            // A value that is left out is missing for every row; all others depend on what is copied.
            Kind::Insert | Kind::Replace => {
                let place = shot.rehearsal.ran.len().saturating_sub(1);
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
    deeds.rehearsal.ran.iter().filter_map(Ran::effect).filter(|effect| effect.kind == Kind::DropTable).any(|effect| {
        let name = effect.object.as_deref().unwrap_or("");
        before.foreign_keys.iter().any(|key| same(&key.parent, name))
    })
}

/// Whether a failure on rows of this kind is one that they explain.
fn is_about(ran: &Ran, odd: Rows) -> bool {
    let message = ran.applied.outcome.as_ref().err().map_or("", |refusal| refusal.message.as_str());
    match odd {
        Rows::Duplicates => message.starts_with("UNIQUE"),
        Rows::Nulls => message.starts_with("NOT NULL"),
        Rows::Types => message.starts_with("cannot store") || message == "datatype mismatch",
        Rows::Plain => false,
    }
}

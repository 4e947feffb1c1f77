//! Runs one unit on rows, and tells what that shows.

use super::{
    Experiment, Experiments, Loss, LossKind, On, Rows, backfill, compare,
    copies::Deeds,
    down,
    observe::{self, State},
    scene::{Room, Scene},
    staged::Ground,
    stops,
    unit::has_word,
};
use crate::{
    migration::{Runs, mentions},
    schema::{
        Alteration, Kind, Live, Objects, Refusal, RefusalKind, SchemaError,
        rehearsal::{At, Manner, Ran, Rehearsal, is_of_file},
        same,
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// Steps of SQLite's virtual machine for all runs of a unit.
const STEPS: u64 = 100_000_000;

/// The kinds of rows that are not plain.
const ODD: [Rows; 3] = [Rows::Duplicates, Rows::Nulls, Rows::Types];

/// What SQLite says where rows break a constraint that their table gets by ALTER TABLE.
const ADDED: &str = "constraint failed";

/// A unit, and a database to run it on.
pub(super) struct Stage<'a> {
    pub ground: Ground<'a>,
    pub live: &'a mut Live,
    /// Another database, for what is run again.
    pub again: &'a mut Live,
    pub scene: &'a Scene<'a>,
    pub found: Experiments,
    /// The tables that get rows.
    pub seeded: BTreeSet<String>,
    /// Something can't be told before it is known which tables stay small.
    pub is_early: bool,
}

/// A run of a unit, and the database before and after.
pub(super) struct Shot {
    pub before: State,
    pub after: State,
    pub rehearsal: Rehearsal,
}

impl Scene<'_> {
    /// Runs it, and looks at the integrity of the tables alone.
    fn run(&self, live: &mut Live) -> Shot {
        let rehearsal = live.rehearse(&self.parts, &Manner { plans: true, ..self.manner() });
        let damage = observe::damage(live, &self.reach);
        let before = State { objects: self.objects.clone(), ..State::default() };
        let after = State { damage, ..before.clone() };
        Shot { before, after, rehearsal }
    }

    /// Runs it, and looks before and after.
    fn shoot(&self, live: &mut Live) -> Result<Shot, SchemaError> {
        let before = observe::observe(live, self.objects.clone(), &self.reach);
        let rehearsal = live.rehearse(&self.parts, &Manner { plans: true, ..self.manner() });
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

impl<'a> Stage<'a> {
    pub fn new(ground: Ground<'a>, room: &'a mut Room, scene: &'a Scene<'a>) -> Self {
        let (live, again) = (&mut room.live, &mut room.again);
        let (found, seeded) = (Experiments::default(), scene.reach.clone());
        Self { ground, live, again, scene, found, seeded, is_early: false }
    }

    /// Runs the unit in all ways that may show something. It begins on plain rows.
    pub fn examine(&mut self) -> Result<(), SchemaError> {
        let scene = self.scene;
        let limit = self.live.spent().saturating_add(STEPS);
        let Some(rehearsal) = self.plain()? else { return Ok(()) };
        if scene.unit.reads_values() && self.live.spent() < limit {
            self.odd()?;
        }
        if let Some((at, on, refusal)) = stops::stop(self.live, self.again, scene, &rehearsal, limit)? {
            self.fails(at, on, refusal);
        }
        if let Some((at, losses)) = down::undo(self.live, scene)? {
            self.loses(at, On::Undone, losses);
        }
        if self.live.spent() > limit {
            return Ok(());
        }
        let Ground { index, small } = self.ground;
        let Some(small) = small else {
            self.is_early = backfill::promising(&rehearsal).next().is_some();
            return Ok(());
        };
        self.found.backfills.extend(backfill::measure(self.live, scene, &rehearsal, index, small)?);
        Ok(())
    }

    /// Runs it on plain rows, and compares; `None` where it fails on them, which is told if it says something.
    fn plain(&mut self) -> Result<Option<Rehearsal>, SchemaError> {
        let scene = self.scene;
        loop {
            let shot = if scene.unit.can_lose() { scene.shoot(self.live)? } else { scene.run(self.live) };
            let Some((ran, refusal)) = shot.rehearsal.failure() else {
                self.compare(&shot);
                return Ok(Some(shot.rehearsal));
            };
            // What it puts in may be what was made up for the table.
            let filled = ran.effect().is_none().then(|| target(scene, ran)).flatten();
            let is_filled = matches!(refusal.kind, RefusalKind::Constraint)
                && filled.is_some_and(|name| self.seeded.remove(&name));
            if is_filled {
                scene.put(self.live, &self.seeded, &[])?;
                continue;
            }
            if let Some(rows) = on_rows(scene, &shot.rehearsal, ran, refusal) {
                let on = if self.fails_empty(ran.at())? { On::Empty } else { On::Seeded(rows) };
                self.fails(ran.at(), on, refusal.clone());
            }
            return Ok(None);
        }
    }

    fn compare(&mut self, shot: &Shot) {
        let deeds = Deeds::new(&self.scene.parts, &shot.rehearsal, &self.scene.objects);
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
        scene.put(self.live, &self.seeded, &ODD)?;
        if self.live.rehearse(&scene.parts, &scene.manner()).is_complete() {
            return Ok(());
        }
        for odd in ODD {
            scene.put(self.live, &self.seeded, &[odd])?;
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

    fn fails(&mut self, at: At, on: On, refusal: Refusal) {
        self.tell(at, on, Some(refusal), Vec::new());
    }

    fn loses(&mut self, at: At, on: On, losses: Vec<Loss>) {
        self.tell(at, on, None, losses);
    }

    fn tell(&mut self, at: At, on: On, refusal: Option<Refusal>, losses: Vec<Loss>) {
        let database = self.ground.index;
        let outcome = self.scene.outcome(at);
        let one = outcome.map(|outcome| Experiment { database, outcome, on, refusal, losses });
        self.found.all.extend(one);
    }
}

/// The table that a statement which failed was to put rows into, in lower case.
fn target(scene: &Scene<'_>, ran: &Ran) -> Option<String> {
    let sql = ran.sql(&scene.parts);
    matches!(Kind::of(sql), Kind::Insert | Kind::Replace).then(|| mentions(sql).used.into_iter().next())?
}

/// The rows of which a failure on plain rows tells; `None` where it tells of the values alone that were made up.
fn on_rows(scene: &Scene<'_>, rehearsal: &Rehearsal, ran: &Ran, refusal: &Refusal) -> Option<Rows> {
    let deeds = Deeds::new(&scene.parts, rehearsal, &scene.objects);
    let kind = Kind::of(deeds.sql(ran));
    let is_any = match &refusal.kind {
        RefusalKind::Limit(_) => true,
        RefusalKind::Constraint if ran.applied.outcome.is_ok() => drops_parent(&deeds, &scene.objects),
        RefusalKind::Constraint => match kind {
            // A constraint on columns that are there depends on what is in them.
            Kind::AlterTable => refusal.message != ADDED,
            Kind::CreateIndex if refusal.message.starts_with("UNIQUE") => return of_unique(scene, refusal),
            Kind::DropTable | Kind::CreateIndex => true,
            // A value that is left out is missing for every row; all others depend on what is copied.
            Kind::Insert | Kind::Replace => {
                let column = refusal.message.rsplit('.').next().unwrap_or("").to_lowercase();
                let named = deeds.columns(rehearsal.ran.len().saturating_sub(1));
                refusal.message.starts_with("NOT NULL") && named.is_some_and(|named| !named.contains(&column))
            }
            // Which rows a WHERE finds depends on what is in them.
            Kind::Delete => refusal.message.starts_with("FOREIGN KEY") && !has_word(deeds.sql(ran), "where"),
            _ => false,
        },
        RefusalKind::Other => match kind {
            Kind::AlterTable => true,
            Kind::Insert | Kind::Replace | Kind::Update | Kind::Delete | Kind::Select => false,
            _ => scene.wrapped,
        },
        _ => false,
    };
    is_any.then_some(Rows::Plain)
}

/// The rows of which a unique index tells that no plain rows can have: any, where a column of it was not there before, so
/// that all have its default. Values that were not the same became so by an expression, or for a CHECK.
fn of_unique(scene: &Scene<'_>, refusal: &Refusal) -> Option<Rows> {
    let columns = refusal.message.rsplit(": ").next()?;
    if columns.starts_with("index '") {
        return None;
    }
    let was_there = |name: &str| {
        let (table, column) = name.split_once('.').unwrap_or(("", name));
        let table = scene.objects.table("main", table);
        table.is_some_and(|table| table.columns.iter().any(|one| same(&one.name, column)))
    };
    Some(if columns.split(", ").all(was_there) { Rows::Duplicates } else { Rows::Plain })
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

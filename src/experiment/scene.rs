//! What a unit begins with: the database before it, of the tables that it needs, with rows or without. Knows what a unit
//! can reach; runs no unit.

use super::{Rows, seeds, staged::Turn, unit::Unit};
use crate::schema::{
    Image, Live, Moment, Objects, SchemaError, Settings,
    rehearsal::{At, Manner},
    ties::Ties,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

/// The database before a unit.
#[derive(Clone)]
pub(super) enum Before {
    /// What of it is needed can be made.
    Moment(Moment),
    /// All of it.
    Whole(Image),
}

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
    /// Its statements, by their places among what became of all.
    outcomes: BTreeMap<At, usize>,
    /// Whether a transaction is put around it.
    pub wrapped: bool,
    /// The tables that got plain rows last, and the database with these.
    seeded: RefCell<(BTreeSet<String>, Image)>,
}

/// Databases on which units run, one after the other.
pub(super) struct Room {
    pub live: Live,
    /// Another one, for what is run again.
    pub again: Live,
    empty: Image,
}

impl Room {
    pub fn open(settings: &Settings) -> Result<Self, SchemaError> {
        let mut live = Live::open(settings)?;
        live.use_small_pages()?;
        Ok(Self { empty: live.image()?, live, again: Live::open(settings)? })
    }

    /// The scene of a unit, with plain rows in all tables that it can reach; `None` where there is no table yet.
    pub fn scene<'a>(&mut self, turn: Turn<'a>) -> Result<Option<Scene<'a>>, SchemaError> {
        let (live, unit) = (&mut self.live, turn.unit);
        let reach = match &turn.before {
            Before::Moment(moment) => {
                let ties = Ties::new(&moment.entries);
                live.restore(&self.empty)?;
                let mut needs = unit.needs(&ties);
                if needs.is_empty() {
                    // That there is a table at all settles what some PRAGMAs do.
                    needs.extend(moment.tables().into_iter().take(1));
                }
                live.excerpt(moment, &needs)?;
                unit.reach(&ties)
            }
            Before::Whole(image) => {
                live.restore(image)?;
                let entries = live.entries(&[])?;
                if entries.is_empty() {
                    return Ok(None);
                }
                unit.reach(&Ties::new(&entries))
            }
        };
        let objects = live.objects_of(&|table| reach.contains(&table.to_lowercase()))?;
        let before = live.image()?;
        seeds::seed(live, &objects, &reach, &[Rows::Plain])?;
        Ok(Some(Scene {
            unit,
            parts: unit.parts(),
            before,
            objects,
            seeded: RefCell::new((reach.clone(), live.image()?)),
            reach,
            forgiven: turn.forgiven,
            outcomes: turn.outcomes,
            wrapped: unit.wrapped() == Some(true),
        }))
    }
}

impl Scene<'_> {
    /// How the unit is run to its end.
    pub fn manner(&self) -> Manner {
        let (forgiven, unchecked) = (self.forgiven.clone(), self.unit.unchecked());
        Manner { wrapped: self.wrapped, forgiven, unchecked, ..Manner::default() }
    }

    /// The place of a statement among what became of the schema's.
    pub fn outcome(&self, at: At) -> Option<usize> {
        self.outcomes.get(&at).copied()
    }

    /// Whether the unit runs to its end on rows with values that come twice.
    pub fn takes_duplicates(&self, live: &mut Live) -> Result<bool, SchemaError> {
        self.set(live, &[Rows::Duplicates])?;
        Ok(live.rehearse(&self.parts, &self.manner()).is_complete())
    }

    /// Makes the database what it is before the unit, with plain rows in all tables and some of these kinds.
    pub fn set(&self, live: &mut Live, rows: &[Rows]) -> Result<(), SchemaError> {
        self.put(live, &self.reach, rows)
    }

    /// The same, with rows in some tables.
    pub fn put(&self, live: &mut Live, tables: &BTreeSet<String>, rows: &[Rows]) -> Result<(), SchemaError> {
        let mut seeded = self.seeded.borrow_mut();
        if seeded.0 == *tables {
            live.restore(&seeded.1)?;
        } else {
            live.restore(&self.before)?;
            seeds::seed(live, &self.objects, tables, &[Rows::Plain])?;
            *seeded = (tables.clone(), live.image()?);
        }
        if !rows.is_empty() {
            seeds::seed(live, &self.objects, tables, rows)?;
        }
        Ok(())
    }
}

//! What migrations do to rows. Each unit of steps is run as the program's runner would, in memory, on tables with rows that
//! are made for it: where it fails, and what is not as before though nobody said so, is written down.
//!
//! A test migrates empty tables. Here, before each unit, every table that it can reach has rows whose values tell where
//! they come from; all else is what the steps before it made. Knows no rule, and no place in a source.

mod ahead;
mod backfill;
mod checks;
mod compare;
mod copies;
mod down;
mod led;
mod observe;
mod rowids;
mod scene;
mod seeds;
pub mod show;
mod stage;
mod staged;
mod stops;
mod unit;
mod walk;

pub use {ahead::Ahead, backfill::Backfill};

use crate::{
    growth::size::{Class, TableSize},
    schema::Refusal,
    workload::Database,
};
use rayon::prelude::*;

/// On what a unit ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum On {
    /// On tables without rows, within the runner's transaction.
    Empty,
    /// On rows.
    Seeded(Rows),
    /// On what it leaves if the process ends before this statement.
    Stopped,
    /// On what it leaves if the process ends before its version is recorded.
    Unrecorded,
    /// On what it made before, as a database is opened again.
    Reopened,
    /// On what a step and its undoing leave.
    Undone,
}

/// What kind of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rows {
    /// As any program could have: each value is another, none is NULL, all are of the declared type.
    Plain,
    /// Values that come twice, where no constraint forbids it.
    Duplicates,
    /// NULL, where that is allowed.
    Nulls,
    /// Text in columns for numbers, where that is allowed.
    Types,
}

impl Rows {
    /// The word of the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Duplicates => "duplicates",
            Self::Nulls => "nulls",
            Self::Types => "types",
        }
    }
}

/// What a run showed at one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// The database.
    pub database: usize,
    /// The statement, by its place among what became of the schema's statements.
    pub outcome: usize,
    /// On what it ran.
    pub on: On,
    /// Why it failed; `None` where it worked.
    pub refusal: Option<Refusal>,
    /// What it lost.
    pub losses: Vec<Loss>,
}

/// Something that was there before a unit ran, and is not after it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// What it is.
    pub kind: LossKind,
    /// The table, by its name before.
    pub table: Option<String>,
    /// A column, a view, a PRAGMA, another table.
    pub object: Option<String>,
    /// How much of it, or what it is now, in words.
    pub text: Option<String>,
}

/// What a loss is one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LossKind {
    /// Rows, of which the unit says nothing.
    Rows,
    /// The values of a column, which others took the place of.
    Swapped,
    /// The values of a column, which are gone.
    Values,
    /// The highest number that AUTOINCREMENT gave.
    Sequence,
    /// The rowids of a table where they are no column.
    Rowid,
    /// What a foreign key refers to.
    Reference,
    /// A view that no longer works.
    View,
    /// The integrity of the file, in SQLite's words.
    Integrity,
    /// A key, a constraint or a default.
    Constraint,
    /// The transaction that the runner had begun.
    Transaction,
    /// A setting that stayed as it was.
    Setting,
    /// The schema that was there before a step that was undone.
    Schema,
}

impl LossKind {
    /// The word of the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Swapped => "swapped",
            Self::Values => "values",
            Self::Sequence => "sequence",
            Self::Rowid => "rowid",
            Self::Reference => "reference",
            Self::View => "broken_view",
            Self::Integrity => "integrity",
            Self::Constraint => "constraint",
            Self::Transaction => "transaction",
            Self::Setting => "setting",
            Self::Schema => "schema",
        }
    }
}

/// What the experiments showed.
#[derive(Debug, Clone, Default)]
pub struct Experiments {
    /// What failed, and what was lost.
    pub all: Vec<Experiment>,
    /// What the migrations' own writes cost.
    pub backfills: Vec<Backfill>,
}

impl FromIterator<Self> for Experiments {
    fn from_iter<I: IntoIterator<Item = Self>>(parts: I) -> Self {
        let mut whole = Self::default();
        for part in parts {
            whole.all.extend(part.all);
            whole.backfills.extend(part.backfills);
        }
        whole
    }
}

/// Runs the steps of every database on rows, databases side by side. Tables that `sizes` says stay small have few rows where
/// costs are measured. What was run `ahead` is not run again.
pub fn find(databases: &mut [Database], sizes: &[TableSize], ahead: &Ahead) -> Experiments {
    let found: Vec<Experiments> = databases
        .par_iter_mut()
        .enumerate()
        .with_max_len(1)
        .map(|(index, database)| {
            // That no statement fills it may only mean that none was found.
            let is_told =
                |one: &TableSize| one.is_configured || one.evidence.iter().any(|(site, _)| site.is_some());
            let is_small = |one: &&TableSize| {
                let is_own = one.database == index;
                is_own && (one.class == Class::Single || (one.class == Class::Bounded && is_told(one)))
            };
            let small = sizes.iter().filter(is_small).map(|one| one.table.to_lowercase()).collect();
            walk::walk(index, database, &small, ahead.take(index))
        })
        .collect();
    found.into_iter().collect()
}

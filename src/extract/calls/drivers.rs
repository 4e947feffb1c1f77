//! Which files speak to SQLite by a driver that runs every statement of a text, where another of the language refuses more than
//! one. Knows the words by which code names them; a connection that is handed from file to file is told by the files beside.

use crate::{
    extract::{
        fold::{Folder, Unit},
        languages::{Language, SinkKind},
        lexer::Table,
        sketch::{CallSketch, sketch},
    },
    source::{Source, Words, folders_above},
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// What names the drivers of a language that run all statements, and what names those that refuse them.
struct Drivers(&'static str, Words<'static>, Words<'static>);

static DRIVERS: [Drivers; 2] = [
    Drivers(
        "Python",
        Words::new(&["import apsw", "from apsw"]),
        Words::new(&[
            "import sqlite3",
            "from sqlite3",
            "aiosqlite",
            "pysqlite",
            "pysqlcipher",
            "sqlean",
            "sqlalchemy",
            "peewee",
        ]),
    ),
    Drivers("Rust", Words::new(&["sqlx::", "use sqlx"]), Words::new(&["rusqlite", "diesel::", "libsql::"])),
];

/// What lets no statement of JDBC commit by itself.
static BY_HAND: Words<'_> = Words::new(&["setAutoCommit(false)", "autoCommit = false"]);

/// What is named somewhere: drivers that run all statements, and others.
#[derive(Debug, Clone, Copy, Default)]
struct Named {
    all: bool,
    others: bool,
}

impl Named {
    const fn any(self) -> bool {
        self.all || self.others
    }
}

/// The files whose driver runs every statement of a text, or may.
#[derive(Debug, Default)]
pub(super) struct Many(HashSet<usize>);

impl Many {
    pub fn find(folder: &Folder<'_>) -> Self {
        Self(DRIVERS.iter().flat_map(|drivers| of(folder, drivers)).collect())
    }

    /// How a call of a file treats a text.
    pub fn kind(&self, unit: usize, kind: SinkKind) -> SinkKind {
        let runs_all = kind == SinkKind::RefusesMore && self.0.contains(&unit);
        if runs_all { SinkKind::RunsMany } else { kind }
    }
}

/// Whether programs of a language speak to SQLite through JDBC.
pub(super) fn is_of_jdbc(language: &Language) -> bool {
    matches!(language.name, "Java" | "Kotlin" | "Scala")
}

/// Whether code for JDBC lets no statement commit by itself, where it makes its connections: what does so and commits is a
/// transaction of its own.
pub(super) fn commits_by_hand(folder: &Folder<'_>) -> bool {
    let is_by_hand = |unit: &Unit| {
        let source = folder.sources.get(unit.source).filter(|_| is_of_jdbc(unit.language) && !unit.is_test);
        source.is_some_and(|source| source.has_any(&BY_HAND) && begins_alone(source, unit))
    };
    folder.units.par_iter().any(is_by_hand)
}

/// Whether a function of a file says that no statement commits by itself, and commits none.
fn begins_alone(source: &Source, unit: &Unit) -> bool {
    // The tokens of files without SQL are gone by now.
    let (text, table) = (source.text(), Table::new(unit.language));
    let (tokens, sketch) = sketch(text, unit.language, &table, false);
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text(text));
    let is_named = |call: &&CallSketch, name: &str| word(call.name as usize) == name;
    let commits: HashSet<u32> =
        sketch.calls.iter().filter(|call| is_named(call, "commit")).map(|call| call.function).collect();
    let is_manual =
        |call: &&CallSketch| is_named(call, "setAutoCommit") && word(call.name as usize + 2) == "false";
    let sets = |at: usize| word(at) == "autoCommit" && word(at + 1) == "=" && word(at + 2) == "false";
    sketch.calls.iter().filter(is_manual).any(|call| !commits.contains(&call.function))
        || commits.is_empty() && (0..tokens.len()).any(sets)
}

fn of(folder: &Folder<'_>, Drivers(language, all, others): &Drivers) -> Vec<usize> {
    let named = |(index, unit): (usize, &Unit)| {
        if unit.language.name != *language || unit.is_test || unit.sketch.candidates.is_empty() {
            return None;
        }
        let source = folder.sources.get(unit.source)?;
        let named = Named { all: source.has_any(all), others: source.has_any(others) };
        Some((index, source.path.as_str(), named))
    };
    let units = folder.units.par_iter().enumerate();
    let files: Vec<(usize, &str, Named)> = units.filter_map(named).collect();
    if !files.iter().any(|(.., named)| named.all) {
        return Vec::new();
    }
    let mut folders: HashMap<&str, Named> = HashMap::default();
    for (_, path, own) in &files {
        for folder in folders_above(path) {
            let known = folders.entry(folder).or_default();
            *known = Named { all: known.all || own.all, others: known.others || own.others };
        }
    }
    // A file that names both, or none where both are beside it, may use either.
    let runs_all = |path: &str, own: Named| {
        let around =
            || folders_above(path).find_map(|folder| folders.get(folder).copied().filter(|one| one.any()));
        if own.any() { own.all } else { around().is_some_and(|one| one.all) }
    };
    files.iter().filter(|(_, path, own)| runs_all(path, *own)).map(|(index, ..)| *index).collect()
}

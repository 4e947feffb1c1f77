//! The databases of a program as it declares them: for each, the steps that make its schema, in order. Knows names,
//! numbers and words; whether a step works is for SQLite to say.

mod alone;
mod among;
mod bases;
mod between;
mod callers;
mod conditions;
mod configured;
mod convention;
mod conventions;
mod copies;
mod directions;
mod documents;
mod downs;
mod draft;
mod engines;
mod files;
mod folders;
mod fragments;
mod groups;
mod guards;
mod guess;
mod habits;
mod handed;
mod helped;
mod incomplete;
mod inlined;
mod joined;
mod levels;
mod lines;
mod lists;
mod manifests;
mod memory;
mod names;
mod numbers;
mod order;
mod outdated;
mod outside;
mod questions;
mod rebuilds;
mod registered;
pub mod release;
mod remade;
mod repeated;
mod resets;
mod reversals;
mod rewrites;
mod runners;
mod rungs;
mod running;
mod runs;
mod series;
mod servers;
mod starts;
mod stems;
mod straight;
mod tables;
mod temporary;
mod tokens;
mod unchecked;
mod unlisted;
mod unnamed;
mod uses;
mod ways;
mod words;

pub use callers::{Callers, ToolCalls, callers};
pub use configured::{Missing, extra_files, is_declared};
pub use convention::{beside_index, has_plain_indexes, is_script_of_another, parts, users};
pub use documents::read;
pub use engines::{is_of_another, of_system, system_of_path};
pub use files::leads_back;
pub use fragments::leave_others;
pub use groups::common_parts;
pub use habits::run_again;
pub use incomplete::{computed_folders, is_head_of_index, table_makers};
pub use manifests::{built_in, dependents};
pub use order::{file_number, natural, version};
pub use outside::{makes_replaced_tables, schemas_made_in};
pub use runs::is_history;
pub use series::{Member, Series, series};
pub use servers::Servers;
pub use tables::{Computed, Mentions, mentions};
pub use unnamed::{Unnamed, unnamed};

use crate::{
    config::Config,
    extract::{self, Extraction, languages::SinkKind, sql, text::Text},
    source::{Site, Source, SourceId, Sources},
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// One text that a database's schema is made with.
#[derive(Debug, Clone)]
pub struct Step {
    /// The literal that it comes from, as an index of the literals.
    pub literal: usize,
    /// What runs: the literal, or the part of it that leads forward.
    pub text: Text,
    /// The text that undoes it.
    pub down: Option<Text>,
    /// The text without white space, comments and the case of words: equal for texts that do the same.
    pub key: String,
    /// The file that its text is in.
    pub home: String,
    /// Whether it stands in a function, among others of its name, and not under a name of its own.
    pub is_loose: bool,
    /// Whether the text that it stands in goes on with what the program does besides.
    pub is_part: bool,
    /// What people call it: a file, a constant, a function.
    pub name: String,
    /// The number in that name.
    pub version: Option<u64>,
    /// Whether its place in the order is certain, so that its failure is one.
    pub is_ordered: bool,
    /// The list that runs it in its turn, as the place of the list's name; `None` where none does.
    pub list: Option<Site>,
    /// The straight line of code on which it has a call of its own, as a number, where that line can run only once.
    pub line: Option<usize>,
    /// Whether it brings an older database to the newest version.
    pub is_upgrade: bool,
    /// Whether what it creates takes the place of what earlier steps created under that name.
    pub replaces: bool,
    /// When it runs.
    pub runs: Runs,
    /// Whether a new database runs it, too.
    pub is_on_new: bool,
    /// Whether an upgrade runs on older databases what a new one is created with.
    pub is_on_old: bool,
    /// The version of a database that it creates, where its file says so in the way of its tool.
    pub records: Option<u64>,
    /// Whether what creates a database runs it as well, beside the ladder of versions that runs it on older ones, where a query
    /// for what it adds fails, or on the line of code that makes tables before.
    pub is_in_creation: bool,
    /// Whether a new database runs it on top of what a snapshot makes: that is of a version before.
    pub is_on_base: bool,
    /// The call that runs it, and how that treats one of several statements; `None` where it was not found, or several do.
    pub sink: Option<(String, SinkKind)>,
    /// Whether the program runs it within a transaction, be it its own or that of more; `None` where nothing tells.
    pub wrapped: Option<bool>,
    /// The place in code that tells so, where code does.
    pub wrapped_by: Option<Site>,
    /// Whether the function that runs it has SQLite ignore CHECKs before.
    pub is_unchecked: bool,
    /// The fork of the code of which one arm runs it, by its function and its number there, and that arm: something else than a version
    /// or the catalogue chooses.
    pub choice: Option<(u32, usize, usize)>,
    /// The unit that it belongs to: what runs together or not at all, by its number in the declaration.
    pub unit: usize,
    /// Where it runs at an open: it does not if all of these are there already.
    pub unless: Vec<String>,
}

impl Step {
    /// A step that runs once on each database, in an order that is certain.
    fn new(literal: usize, text: Text, name: &str, version: Option<u64>) -> Self {
        Self {
            literal,
            home: String::new(),
            is_loose: false,
            is_part: false,
            key: sql::key(text.as_str()),
            text,
            down: None,
            name: name.to_owned(),
            version,
            is_ordered: true,
            list: None,
            line: None,
            is_upgrade: false,
            replaces: false,
            runs: Runs::Migration,
            is_on_new: true,
            is_on_old: false,
            records: None,
            is_in_creation: false,
            is_on_base: false,
            sink: None,
            wrapped: None,
            wrapped_by: None,
            is_unchecked: false,
            choice: None,
            unit: 0,
            unless: Vec::new(),
        }
    }

    /// What must be missing for it to run, as words; `None` where nothing asks.
    pub fn unless_words(&self) -> Option<String> {
        let names: Vec<String> = self.unless.iter().map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| names.join(" or "))
    }

    /// Its place in the order of versions; `None` where it has none. What stands alone in code counts as version zero
    /// where its name has no number.
    pub fn rank(&self) -> Option<u64> {
        self.version.filter(|&version| version > 0 || self.is_ordered)
    }
}

/// When a step runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// Once on each database.
    Migration,
    /// On a new database.
    Create,
    /// Whenever a database is opened.
    Open,
}

impl Runs {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Migration => "migration",
            Self::Create => "create",
            Self::Open => "open",
        }
    }
}

/// How a database came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The configuration names it.
    Configured,
    /// It was put together from what the sources declare.
    Guessed,
}

impl Origin {
    /// The word for it in facts and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Configured => "configured",
            Self::Guessed => "guessed",
        }
    }
}

/// A database as declared.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// Its name in reports.
    pub name: String,
    /// How it came to be known.
    pub origin: Origin,
    /// Where its steps come from, for people: `migrations/*.sql`, `src/db.rs::SCHEMA_1`.
    pub places: Vec<String>,
    /// The files that declare it.
    pub homes: Vec<SourceId>,
    /// What makes it, in order.
    pub steps: Vec<Step>,
    /// What makes a new database in their place, in order; empty where the steps do, those that run on a new one.
    pub create: Vec<Step>,
    /// Its settings, as an index of the configured databases.
    pub config: Option<usize>,
    /// What was taken to be said of when and how its steps run: where, and a sentence on it.
    pub guesses: Vec<(Site, String)>,
    /// Whether all of its schema is known: no declaration beside its own creates or alters what only the running
    /// program can name.
    pub is_complete: bool,
    /// The indexes, triggers and views that it, or a declaration beside it, makes or drops under such names.
    pub computed: Vec<Computed>,
    /// Texts that work on its tables and are none of its steps, such as scripts that undo them: as indexes of the literals.
    pub aside: Vec<usize>,
    /// What makes the tables of what runs its steps, such as its list of those that it ran, where a text of the program names
    /// them: they are there before the first step.
    pub beforehand: Vec<String>,
    /// Temporary tables that are left out, as lasting ones have their names: in lower case.
    pub hidden: BTreeSet<String>,
}

impl Declaration {
    /// One that the sources show, unless more is known: its name, and where its steps come from.
    const fn of(name: String, places: Vec<String>, homes: Vec<SourceId>, steps: Vec<Step>) -> Self {
        Self {
            name,
            origin: Origin::Guessed,
            places,
            homes,
            steps,
            create: Vec::new(),
            config: None,
            guesses: Vec::new(),
            is_complete: true,
            computed: Vec::new(),
            aside: Vec::new(),
            beforehand: Vec::new(),
            hidden: BTreeSet::new(),
        }
    }

    /// The same with these of its steps alone.
    fn with(&self, steps: Vec<Step>) -> Self {
        let names: BTreeSet<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        let is_its = |place: &&String| place.rsplit("::").next().is_some_and(|name| names.contains(name));
        let places = self.places.iter().filter(is_its).cloned().collect();
        Self { places, steps, ..self.clone() }
    }

    /// Whether it consists of files of SQL alone.
    fn is_files(&self, sources: &Sources) -> bool {
        self.homes.iter().all(|&home| extract::is_sql(sources.path(home)))
    }

    /// The literals that are its steps, or work beside them; not those that hold more.
    pub fn literals(&self) -> impl Iterator<Item = usize> {
        let whole = self.steps.iter().filter(|step| !step.is_part);
        whole.map(|step| step.literal).chain(self.aside.iter().copied())
    }
}

/// The databases of a tree: those that the configuration names or, where it names none, those that are guessed.
///
/// # Errors
/// [`Missing`] where the configuration names a declaration that the tree does not hold.
pub fn declarations(
    config: &Config,
    sources: &Sources,
    extraction: &Extraction,
) -> Result<Vec<Declaration>, Missing> {
    let mut declared = configured::configured(config, sources, extraction)?;
    if declared.is_empty() || configured::only_names(config) {
        let taken = declared.iter().flat_map(|one| one.steps.iter().map(|step| step.literal)).collect();
        let mut guessed = guess::guess(sources, extraction, &taken);
        configured::name_guessed(config, &mut guessed)?;
        // Beside databases that the configuration describes, those count that it names.
        let describes = !declared.is_empty();
        declared.extend(guessed.into_iter().filter(|one| !describes || one.config.is_some()));
        if describes {
            declared.sort_by_key(|one| one.config);
        }
    }
    temporary::add(sources, extraction, &mut declared);
    incomplete::mark(sources, extraction, &mut declared);
    declared.par_iter_mut().for_each(|one| runs::settle(sources, extraction, one));
    downs::attach(sources, extraction, &mut declared);
    habits::settle(config, sources, extraction, &mut declared);
    Ok(declared)
}

/// The literals in files that are migrations by what they hold, wherever they stand.
pub fn in_migrations<'a>(
    sources: &'a Sources,
    extraction: &'a Extraction,
) -> impl Iterator<Item = usize> + 'a {
    let is_one = |source: &Source| conventions::ALL.iter().any(|one| (one.is_migration)(source));
    let files: BTreeSet<SourceId> =
        sources.iter().filter(|(_, source)| is_one(source)).map(|(id, _)| id).collect();
    let all = extraction.literals.iter().enumerate();
    all.filter(move |(_, literal)| files.contains(&literal.site.source)).map(|(index, _)| index)
}

/// The tables and views that these steps create, in lower case.
fn created(steps: &[Step]) -> BTreeSet<String> {
    steps.iter().flat_map(|step| mentions(step.text.as_str()).created).collect()
}

//! Writes down as facts what the steps of a run found out. Judges nothing.

mod elsewhere;
mod field;
mod files;
mod growth;
mod largest;
mod losses;
mod migrations;
mod obstacles;
mod parameters;
mod plans;
mod predicates;
mod prices;
mod program;
mod refusals;
mod schemas;
mod series;
mod shape;
mod statements;
mod trials;

use super::{
    Facts, FactsError,
    filling::{Filling, Insertion},
};
use crate::{
    config::Config,
    experiment::Experiments,
    extract::Extraction,
    growth::{Growth, Measured, ParameterColumn, size::TableSize},
    migration::{Series, Unnamed, release::Releases},
    obstacle::{Instead, Missed, Obstructed},
    price::Priced,
    schema::sqlite,
    shell::{Asked, Shipped},
    source::{Site, Sources},
    trial::Trial,
    workload::{Database, KeyPlan, Largest, Log, Other, Passed, Statement, Unenforced, Upkeep, WrittenText},
};
use rustc_hash::FxHashMap;
use std::{
    cell::RefCell,
    panic::resume_unwind,
    sync::mpsc::{self, Sender},
    thread::{self, JoinHandle},
};

/// What a run knows, in the types of the modules that found it out.
pub struct Program<'a> {
    /// The root of the tree, as it was given.
    pub root: &'a str,
    /// What the user says.
    pub config: &'a Config,
    /// The files.
    pub sources: &'a Sources,
    /// Which of them hold tools and not the program.
    pub is_offline: fn(&str, &Config, &Sources) -> bool,
    /// What was found in them.
    pub extraction: &'a Extraction,
    /// The databases.
    pub databases: &'a [Database],
    /// The statements.
    pub statements: &'a [Statement],
    /// How tables grow.
    pub sizes: &'a [TableSize],
    /// What foreign keys add to changes of their parents.
    pub key_plans: &'a [KeyPlan],
    /// What triggers do for full-text tables.
    pub upkeeps: &'a [Upkeep],
    /// How costs grow.
    pub measured: &'a Measured,
    /// The columns of the parameters of each statement.
    pub columns: &'a [Vec<Option<ParameterColumn>>],
    /// What the rows of tables cost that grow.
    pub prices: &'a [Priced],
    /// Why indexes are not used.
    pub obstacles: &'a [Obstructed],
    /// What releases declared.
    pub releases: &'a Releases,
    /// The schemas in the field that are not the declared ones.
    pub others: &'a [Other],
    /// How costs grow on these; empty where that is not measured.
    pub other_growths: &'a [Vec<Growth>],
    /// What indexes do to statements.
    pub trials: &'a [Trial],
    /// What migrations do to rows.
    pub experiments: &'a Experiments,
    /// Which statements miss what migrations lost.
    pub missed: &'a [Missed],
    /// What can stand in the place of several statements.
    pub instead: &'a [Instead],
    /// The folders of numbered migrations.
    pub series: &'a [Series],
    /// The constants with a migration that nothing names.
    pub unnamed: &'a [Unnamed],
    /// The statements that want the largest text of a column.
    pub largest: &'a [Largest],
    /// What is known to be written there.
    pub written: &'a [WrittenText],
    /// The query builders that the program uses, each with the first place that names it.
    pub builders: &'a [(&'static str, Site)],
    /// The logs of statements that were read.
    pub logs: &'a [Log],
    /// The texts that looked like SQL and are not judged.
    pub passed: &'a [Passed],
    /// What SQLite the program ships.
    pub shipped: &'a [Shipped],
    /// What another SQLite plans; `None` where none was asked.
    pub elsewhere: Option<&'a Asked>,
}

/// The rows of the facts that things were given.
#[derive(Debug, Default)]
pub struct Rows {
    /// The statements, by their place in [`Program::statements`].
    pub statements: Vec<i64>,
    /// The databases, by their place in [`Program::databases`].
    pub databases: Vec<i64>,
    /// The variants of the schemas in the field, by their place in [`Program::others`].
    pub others: Vec<i64>,
    /// The database rows of those whose schema was not found.
    pub missing: Vec<i64>,
    /// The obstacles, by row: the place in [`Program::obstacles`], and that among those of the statement.
    pub obstacles: FxHashMap<i64, (usize, usize)>,
    /// What trials do, by row: the place in [`Program::trials`], and that among the effects of the trial.
    pub effects: FxHashMap<i64, (usize, usize)>,
    /// The foreign keys, by row: the database, and that among its foreign keys.
    pub foreign_keys: FxHashMap<i64, (usize, usize)>,
    sites: RefCell<FxHashMap<Site, i64>>,
}

impl Rows {
    /// The site of a row.
    pub fn site(&self, row: i64) -> Option<Site> {
        self.sites.borrow().iter().find(|(_, id)| **id == row).map(|(site, _)| *site)
    }

    /// The row of a site; made where there is none yet, in facts that can be added to.
    ///
    /// # Errors
    /// Where the facts are frozen.
    pub fn add_site(&self, facts: &Facts, sources: &Sources, site: Site) -> Result<i64, FactsError> {
        if let Some(&row) = self.sites.borrow().get(&site) {
            return Ok(row);
        }
        let position = sources.get(site.source).map(|source| source.position(site.start));
        let (line, column) = position.map_or((1, 1), |position| (position.line, position.column));
        let row = facts.insert(
            "site",
            [
                ("source", &i64::from(site.source.0)),
                ("start", &site.start),
                ("end", &site.end),
                ("line", &line),
                ("column", &column),
            ],
        )?;
        self.sites.borrow_mut().insert(site, row);
        Ok(row)
    }

    /// All sites by their row.
    pub fn sites(&self) -> FxHashMap<i64, Site> {
        self.sites.borrow().iter().map(|(site, row)| (*row, *site)).collect()
    }
}

/// Facts that are made on a thread of their own: their tables and views while it is still being found out what they will
/// hold, and their rows while more of them are gathered.
pub struct Beginning {
    insertions: Sender<Insertion>,
    facts: JoinHandle<Result<Facts, FactsError>>,
}

/// Begins with facts that have no rows yet.
pub fn begin() -> Beginning {
    let (insertions, inserted) = mpsc::channel();
    Beginning { insertions, facts: thread::spawn(|| Facts::of(inserted)) }
}

/// Gathers the facts of a run, and freezes them.
///
/// # Errors
/// Where a fact breaks the contract, which is a fault of planlint.
pub fn gather(program: &Program<'_>, beginning: Beginning) -> Result<(Facts, Rows), FactsError> {
    let mut gatherer = Gatherer::new(program, Filling::new(beginning.insertions));
    gatherer.run();
    let filled = gatherer.facts.finish();
    let facts = beginning.facts.join().unwrap_or_else(|panic| resume_unwind(panic))?;
    filled.map(|()| (facts, gatherer.rows))
}

/// The facts being filled.
struct Gatherer<'a> {
    program: &'a Program<'a>,
    facts: Filling,
    rows: Rows,
    /// The `declared` variant of each database.
    variants: Vec<i64>,
    /// Where the objects of each database are made.
    places: Vec<migrations::Places>,
    /// The migrations of each database.
    migrations: Vec<Vec<i64>>,
    /// The databases whose schema was not found, by their folder.
    missing: FxHashMap<String, i64>,
    /// The rows of the functions that are named anywhere.
    functions: Vec<Option<i64>>,
    /// What each database lost in its history.
    losses: Vec<Vec<Option<i64>>>,
    /// What obstacles refer to.
    known: obstacles::Known,
    /// What is run without foreign keys.
    unenforced: Unenforced,
    engine: i64,
}

impl<'a> Gatherer<'a> {
    fn new(program: &'a Program<'a>, facts: Filling) -> Self {
        Self {
            program,
            facts,
            rows: Rows::default(),
            variants: Vec::new(),
            places: Vec::new(),
            migrations: Vec::new(),
            missing: FxHashMap::default(),
            functions: Vec::new(),
            losses: Vec::new(),
            known: obstacles::Known::default(),
            unenforced: statements::unenforced(program),
            engine: 0,
        }
    }

    fn run(&mut self) {
        let config = self.program.config.path.as_deref();
        let version = env!("CARGO_PKG_VERSION");
        self.facts.insert(
            "run",
            [("id", &1), ("planlint", &version), ("root", &self.program.root), ("config", &config)],
        );
        self.engine = self.facts.insert("engine", [("version", &sqlite::version())]);
        self.gather_sources();
        self.gather_builders();
        self.gather_functions();
        self.gather_databases();
        self.gather_statements();
        self.gather_parameters();
        self.gather_calls();
        self.gather_sizes();
        self.gather_files();
        self.gather_configured_tables();
        self.gather_growths();
        self.gather_prices();
        self.gather_field();
        self.gather_elsewhere();
        self.gather_obstacles();
        self.gather_instead();
        self.gather_trials();
        self.gather_missed();
        self.gather_experiments();
        self.gather_largest();
    }

    /// The row of a site; made where there is none yet.
    fn site(&mut self, site: Site) -> i64 {
        if let Some(&row) = self.rows.sites.borrow().get(&site) {
            return row;
        }
        let position = self.program.sources.get(site.source).map(|source| source.position(site.start));
        let (line, column) = position.map_or((1, 1), |position| (position.line, position.column));
        let source = i64::from(site.source.0);
        let row = self.facts.insert(
            "site",
            [
                ("source", &source),
                ("start", &site.start),
                ("end", &site.end),
                ("line", &line),
                ("column", &column),
            ],
        );
        self.rows.sites.borrow_mut().insert(site, row);
        row
    }
}

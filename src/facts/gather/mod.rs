//! Writes down as facts what the steps of a run found out. Judges nothing.

mod growth;
mod migrations;
mod obstacles;
mod parameters;
mod plans;
mod predicates;
mod program;
mod refusals;
mod schemas;
mod shape;
mod statements;

use super::{Batch, Facts, FactsError};
use crate::{
    config::Config,
    extract::{
        Extraction,
        names::{self, Names},
    },
    growth::{Measured, size::TableSize},
    obstacle::Obstructed,
    schema::sqlite,
    source::{Site, SourceId, Sources},
    workload::{Database, KeyPlan, Outcome, Statement},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::{cell::RefCell, sync::Arc};

/// What a run knows, in the types of the modules that found it out.
pub struct Program<'a> {
    /// The root of the tree, as it was given.
    pub root: &'a str,
    /// What the user says.
    pub config: &'a Config,
    /// The files.
    pub sources: &'a Sources,
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
    /// How costs grow.
    pub measured: &'a Measured,
    /// Why indexes are not used.
    pub obstacles: &'a [Obstructed],
}

/// The rows of the facts that things were given.
#[derive(Debug, Default)]
pub struct Rows {
    /// The statements, by their place in [`Program::statements`].
    pub statements: Vec<i64>,
    /// The databases, by their place in [`Program::databases`].
    pub databases: Vec<i64>,
    /// The database rows of those whose schema was not found.
    pub missing: Vec<i64>,
    sites: RefCell<FxHashMap<Site, i64>>,
}

impl Rows {
    /// The site of a row.
    pub fn site(&self, row: i64) -> Option<Site> {
        self.sites.borrow().iter().find(|(_, id)| **id == row).map(|(site, _)| *site)
    }

    /// All sites by their row.
    pub fn sites(&self) -> FxHashMap<i64, Site> {
        self.sites.borrow().iter().map(|(site, row)| (*row, *site)).collect()
    }
}

/// Gathers the facts of a run, and freezes them.
///
/// # Errors
/// Where a fact breaks the contract, which is a fault of planlint.
pub fn gather(program: &Program<'_>) -> Result<(Facts, Rows), FactsError> {
    let facts = Facts::new()?;
    let rows = {
        let mut gatherer = Gatherer::new(program, &facts)?;
        gatherer.run()?;
        gatherer.site_table.flush()?;
        gatherer.rows
    };
    facts.freeze()?;
    Ok((facts, rows))
}

/// What stands in each statement that is judged, read on all cores; nothing where it can't be read.
fn read_names(statements: &[Statement]) -> Vec<Option<Arc<Names>>> {
    let is_judged = |one: &&Statement| !matches!(one.outcome, Outcome::Test);
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut texts: Vec<&str> = Vec::new();
    for text in statements.iter().filter(is_judged).map(|one| one.text.as_str()) {
        numbers.entry(text).or_insert_with(|| {
            texts.push(text);
            texts.len() - 1
        });
    }
    let read: Vec<Option<Arc<Names>>> =
        texts.par_iter().map(|text| names::names(text).map(Arc::new)).collect();
    let of = |one: &Statement| {
        let number = numbers.get(one.text.as_str()).filter(|_| is_judged(&one))?;
        read.get(*number)?.clone()
    };
    statements.iter().map(of).collect()
}

/// The facts being filled.
struct Gatherer<'a> {
    program: &'a Program<'a>,
    facts: &'a Facts,
    site_table: Batch<'a, 5>,
    rows: Rows,
    /// What stands in each statement.
    names: Vec<Option<Arc<Names>>>,
    /// The `declared` variant of each database.
    variants: Vec<i64>,
    functions: Vec<i64>,
    engine: i64,
}

impl<'a> Gatherer<'a> {
    fn new(program: &'a Program<'a>, facts: &'a Facts) -> Result<Self, FactsError> {
        let site_table = facts.batch("site", ["source", "start", "end", "line", "column"])?;
        let rows = Rows::default();
        // Most files have a function, and the lines of a file are counted when its first place is asked for.
        let (names, ()) = rayon::join(
            || read_names(program.statements),
            || {
                let sources = (0..program.sources.iter().len() as u32).into_par_iter();
                sources.filter_map(|id| program.sources.get(SourceId(id))).for_each(|source| {
                    source.position(0);
                });
            },
        );
        let (variants, functions) = (Vec::new(), Vec::new());
        Ok(Self { program, facts, site_table, rows, names, variants, functions, engine: 0 })
    }

    fn run(&mut self) -> Result<(), FactsError> {
        let config = self.program.config.path.as_deref();
        let version = env!("CARGO_PKG_VERSION");
        self.facts.insert(
            "run",
            [("id", &1), ("planlint", &version), ("root", &self.program.root), ("config", &config)],
        )?;
        self.engine = self.facts.insert("engine", [("version", &sqlite::version())])?;
        self.gather_sources()?;
        self.gather_functions()?;
        self.gather_databases()?;
        self.gather_statements()?;
        self.gather_parameters()?;
        self.gather_calls()?;
        self.gather_sizes()?;
        self.gather_growths()?;
        self.gather_obstacles()
    }

    /// The row of a site; made where there is none yet.
    fn site(&mut self, site: Site) -> Result<i64, FactsError> {
        if let Some(&row) = self.rows.sites.borrow().get(&site) {
            return Ok(row);
        }
        let position = self.program.sources.get(site.source).map(|source| source.position(site.start));
        let (line, column) = position.map_or((1, 1), |position| (position.line, position.column));
        let source = i64::from(site.source.0);
        let row = self.site_table.insert([&source, &site.start, &site.end, &line, &column])?;
        self.rows.sites.borrow_mut().insert(site, row);
        Ok(row)
    }
}

//! The steps of a run, in their order.

use crate::{
    config::{self, Config, ConfigError, Severity},
    report::{
        Failure, Report,
        lists::{List, Listing},
    },
    source::{Sources, Tree, TreeError},
};
use std::path::{Path, PathBuf};

/// What to check.
#[derive(Clone)]
pub struct CheckRequest<'a> {
    /// The root of the tree.
    pub root: PathBuf,
    /// The configuration file; `None` where there is none.
    pub config: Option<PathBuf>,
    /// Files and folders to report on, from the root; empty means all.
    pub paths: Vec<String>,
    /// Who is told what the run is at.
    pub progress: Option<&'a (dyn Fn(&str) + Sync)>,
}

impl CheckRequest<'_> {
    /// A request for a whole tree, without a configuration.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), config: None, paths: Vec::new(), progress: None }
    }
}

/// What a run gives back.
pub struct Outcome {
    /// What was found.
    pub report: Report,
    /// The sources that its places are in.
    pub sources: Sources,
    /// The severity from which a finding fails the run, as configured.
    pub fail_on: Severity,
}

impl Outcome {
    /// The lines of a list.
    pub fn listings(&self, list: List) -> Vec<Listing> {
        let skipped = self.report.skipped.iter();
        let skipped =
            skipped.map(|one| Listing { place: one.path.clone(), columns: vec![one.reason.clone()] });
        if list == List::Skipped { skipped.collect() } else { Vec::new() }
    }
}

/// Why a run could not judge.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration can't be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The tree can't be read.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// No rule has this name.
    #[error("there is no rule `{0}`")]
    NoSuchRule(String),
}

impl From<&RunError> for Failure {
    fn from(error: &RunError) -> Self {
        match error {
            RunError::Config(error) => error.into(),
            RunError::Tree(_) => Self::new(error.to_string()),
            RunError::NoSuchRule(_) => {
                Self::new(error.to_string()).with_help("`planlint rules` lists them all")
            }
        }
    }
}

/// Judges a tree.
///
/// # Errors
/// Where it can't.
pub fn check(request: &CheckRequest<'_>) -> Result<Outcome, RunError> {
    let config = configuration(request)?;
    let say = |phase| request.progress.map(|progress| progress(phase));
    say("reading");
    let sources = Sources::read(&Tree::folder(&request.root), config.max_file_bytes, |path| {
        !config.exclude.matches(path)
    })?;
    let skipped = sources.skipped.clone();
    let report = Report { root: ".".to_owned(), skipped, ..Report::default() };
    Ok(Outcome { report, sources, fail_on: config.fail_on })
}

/// The page of a rule.
///
/// # Errors
/// Where there is no such rule.
pub fn explain(request: &CheckRequest<'_>, rule: &str) -> Result<String, RunError> {
    configuration(request)?;
    Err(RunError::NoSuchRule(rule.to_owned()))
}

/// All rules: name, severity, title.
///
/// # Errors
/// Where one can't be read.
pub fn rules(request: &CheckRequest<'_>) -> Result<Vec<Listing>, RunError> {
    configuration(request)?;
    Ok(Vec::new())
}

/// Writes the facts as a database.
///
/// # Errors
/// Where they can't be gathered or written.
pub fn facts(request: &CheckRequest<'_>, _output: &Path) -> Result<(), RunError> {
    configuration(request)?;
    Ok(())
}

fn configuration(request: &CheckRequest<'_>) -> Result<Config, RunError> {
    let Some(path) = &request.config else { return Ok(Config::default()) };
    let display = path.strip_prefix(&request.root).unwrap_or(path).display().to_string();
    let config = config::load(path, &display)?;
    config.check_rule_names(&[])?;
    Ok(config)
}

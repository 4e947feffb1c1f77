//! Why a run can't judge: the errors of its steps, each with what can be said to the user.

use super::{change, init::InitError, pages::PagesError, place::PlaceError};
use crate::{
    baseline::BaselineError,
    config::ConfigError,
    facts::FactsError,
    lock::LockError,
    report::Failure,
    rule::RuleError,
    schema::{SchemaError, file::FileError},
    source::{GitError, TreeError, plain},
};
use std::{io, path::Path};

/// Why a run could not judge.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration can't be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The tree can't be read.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A rule is broken.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// SQLite can't be set up.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// A database file can't be audited.
    #[error("{path}: {source}")]
    File {
        /// The file, as it was named.
        path: String,
        /// Why.
        source: FileError,
    },
    /// The facts can't be kept.
    #[error(transparent)]
    Facts(#[from] FactsError),
    /// Plans of another SQLite are wanted, and none is named.
    #[error("the configuration names no shell")]
    NoShell,
    /// No rule has this name.
    #[error("there is no rule `{0}`")]
    NoSuchRule(String, Option<String>),
    /// The baseline can't be used.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// A lock can't be used.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// git can't say what changed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file can't be written.
    #[error("{path} can't be written: {source}")]
    Unwritten {
        /// The file, from the root of the tree.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A place holds nothing to explain.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// No configuration was written.
    #[error(transparent)]
    Init(#[from] InitError),
    /// The pages of rules can't be run.
    #[error(transparent)]
    Pages(#[from] PagesError),
}

impl From<&RunError> for Failure {
    fn from(error: &RunError) -> Self {
        match error {
            RunError::Config(error) => error.into(),
            RunError::Rule(error) => match plain::read_text(Path::new(&error.path)) {
                Ok(text) => Self::new(&error.message).at_line(&error.path, &text, error.line),
                Err(_) => Self::new(error.to_string()),
            },
            RunError::NoSuchRule(_, near) => {
                let meant = near.as_ref().map_or_else(String::new, |near| format!("did you mean `{near}`? "));
                Self::new(error.to_string()).with_help(format!("{meant}`planlint rules` lists them all"))
            }
            RunError::NoShell => Self::new(error.to_string())
                .with_help("name a `sqlite3` shell under `sqlite` in planlint.toml: docs/config.md"),
            RunError::Place(error) => error.into(),
            RunError::Pages(error) => error.into(),
            RunError::Baseline(BaselineError::Line { path, text, line, message }) => {
                Self::new(message).at_line(path, text, *line)
            }
            RunError::Baseline(error) => Self::new(error.to_string()),
            RunError::Lock(error) => lock(error),
            RunError::Git(error) => change::failure(error),
            RunError::File { source, .. } => {
                Self { help: source.help().map(str::to_owned), ..Self::new(error.to_string()) }
            }
            RunError::Tree(_) | RunError::Schema(_) | RunError::Facts(_) | RunError::Unwritten { .. } => {
                Self::new(error.to_string())
            }
            RunError::Init(error @ InitError::Exists(_)) => {
                Self::new(error.to_string()).with_help("--force writes it anew")
            }
            RunError::Init(error) => Self::new(error.to_string()),
        }
    }
}

fn lock(error: &LockError) -> Failure {
    match error {
        LockError::Line { path, text, line, message } => {
            let failure = Failure::new(message).at_line(path, text, *line);
            failure.with_help("`planlint plans --write` writes it anew")
        }
        LockError::Missing(_) => {
            Failure::new(error.to_string()).with_help("`planlint plans --write` writes planlint.lock")
        }
        _ => Failure::new(error.to_string()),
    }
}

//! The plans of a program as a file that is reviewed like code: an entry for each statement, with its tables, its plan and
//! how its cost grows, in words that stay the same until something changes that matters. Knows the file, and what differs
//! between two; knows no rule, and nothing of how either is shown.

mod compare;
mod gather;
mod text;

pub use compare::{Change, Comparison, Verdict, compare};
pub use gather::{Found, Ground, gather};
pub use text::{read, write};

use crate::{growth::Class, source::plain};
use std::{io, path::Path};

/// The name of the file, in the root of the tree.
pub const FILE_NAME: &str = "planlint.lock";

/// What is known of one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Which one it is.
    pub key: Key,
    /// Where it stands, sorted. For readers: it makes no difference.
    pub homes: Vec<Home>,
    /// The tables and views that it reads or writes, sorted. For readers, too: text and schema decide.
    pub tables: Vec<String>,
    /// What SQLite makes of it.
    pub became: Became,
}

/// What tells statements apart: nothing that changes when code moves.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The database; `-` where none has its tables.
    pub database: String,
    /// Its text, on one line and spaced in one way.
    pub statement: String,
    /// The schema, where that is not the one that all migrations make: `fresh`, as a new database has it.
    pub schema: Option<String>,
}

impl Key {
    /// The same statement on the schema that all migrations make.
    #[must_use]
    pub fn declared(&self) -> Self {
        Self { schema: None, ..self.clone() }
    }
}

/// Where a statement stands. Its line is left out: it changes with all that stands above it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    /// From the root of the tree.
    pub path: String,
    /// The function around it.
    pub function: Option<String>,
}

/// What SQLite makes of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Became {
    /// It plans it.
    Planned {
        /// How the cost grows; `None` where nobody wanted it measured.
        growth: Option<Growth>,
        /// The plan in normal words; empty where it reads no table.
        plan: Vec<String>,
    },
    /// It refuses it, with these words.
    Refused(String),
}

/// How the cost of a statement grows with its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// It can't be measured.
    Unknown,
    /// So.
    Known {
        /// Where it is worst.
        class: Class,
        /// The rows that the caller gets do not explain it.
        wasted: bool,
    },
}

impl Growth {
    const ALL: [Self; 6] = [
        Self::Unknown,
        Self::known(Class::Constant, false),
        Self::known(Class::Linear, false),
        Self::known(Class::Linear, true),
        Self::known(Class::Quadratic, false),
        Self::known(Class::Quadratic, true),
    ];

    const fn known(class: Class, wasted: bool) -> Self {
        Self::Known { class, wasted }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Known { class: Class::Constant, .. } => "constant",
            Self::Known { class: Class::Linear, wasted: false } => "linear, as its rows",
            Self::Known { class: Class::Linear, wasted: true } => "linear",
            Self::Known { class: Class::Quadratic, wasted: false } => "quadratic, as its rows",
            Self::Known { class: Class::Quadratic, wasted: true } => "quadratic",
        }
    }

    fn of(words: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.words() == words)
    }

    /// Whether it grows without need.
    pub fn is_wasted(self) -> bool {
        matches!(self, Self::Known { wasted: true, .. })
    }
}

impl Entry {
    /// Whether what it says of the statement is bad by itself.
    pub fn is_bad(&self) -> bool {
        match &self.became {
            Became::Refused(_) => true,
            Became::Planned { growth, .. } => growth.is_some_and(Growth::is_wasted),
        }
    }

    /// Whether it may be, so that it is worth a closer look.
    pub fn is_doubtful(&self) -> bool {
        let Became::Planned { growth, plan } = &self.became else { return true };
        let constant = Growth::known(Class::Constant, false);
        growth.is_none_or(|growth| growth != constant) && !plan.is_empty()
    }
}

/// Why a lock can't be used.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// There is none.
    #[error("there is no {0}")]
    Missing(String),
    /// It can't be read.
    #[error("can't read {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// It can't be written.
    #[error("can't write {path}: {source}")]
    Write {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A line can't be understood.
    #[error("{path}:{line}: {message}")]
    Line {
        /// The file.
        path: String,
        /// All of it.
        text: String,
        /// From 1.
        line: u32,
        /// What is wrong with it.
        message: String,
    },
}

/// Reads a lock; `name` is what messages call it.
///
/// # Errors
/// Where there is none, or it is none.
pub fn load(path: &Path, name: &str) -> Result<Vec<Entry>, LockError> {
    match plain::read_text(path) {
        Ok(text) => read(name, &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(LockError::Missing(name.to_owned())),
        Err(source) => Err(LockError::Read { path: name.to_owned(), source }),
    }
}

/// Writes the lock of a tree in one step: whoever reads it sees the old one or the new one.
///
/// # Errors
/// Where it can't be written; then it is as it was.
pub fn save(root: &Path, entries: &[Entry]) -> Result<(), LockError> {
    let failed = |source| LockError::Write { path: FILE_NAME.to_owned(), source };
    plain::replace(&root.join(FILE_NAME), write(entries).as_bytes()).map_err(failed)
}

//! Why a run could not judge, in the one form in which every module's error is shown; be it that planlint itself is at fault.

use crate::config::ConfigError;
use std::{any::Any, ops::Range, panic::PanicHookInfo};

/// The longest message of a panic that is shown, in characters: it may quote what was read.
const LONGEST: usize = 500;

/// What went wrong, and where if it is in a file of the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The place of it.
    pub excerpt: Option<Excerpt>,
}

/// A range of a text that is at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// What to call the file.
    pub path: String,
    /// Its whole text.
    pub text: String,
    /// The bytes at fault.
    pub span: Range<usize>,
}

impl Failure {
    /// A failure that has no place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, excerpt: None }
    }

    /// That planlint itself is at fault, by what a panic said, and what to send to whom.
    pub fn of_panic(what: &str) -> Self {
        Self::new(format!("planlint itself is at fault, and could not judge: {what}")).with_help(
            "Please report it, with this message, what `planlint --version` prints, what was run, and the smallest file with \
             which it happens. Until it is mended, `exclude` under `[paths]` leaves that file out.",
        )
    }

    /// The same with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with its place, as a line counted from 1.
    #[must_use]
    pub fn at_line(self, path: &str, text: &str, line: u32) -> Self {
        let before: usize =
            text.split_inclusive('\n').take((line as usize).saturating_sub(1)).map(str::len).sum();
        let length = text.get(before..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
        self.at(path, text, before..before + length)
    }

    /// The same with its place.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>, text: impl Into<String>, span: Range<usize>) -> Self {
        self.excerpt = Some(Excerpt { path: path.into(), text: text.into(), span });
        self
    }
}

impl From<&ConfigError> for Failure {
    fn from(error: &ConfigError) -> Self {
        match error {
            ConfigError::Read { .. } => Self::new(error.to_string()),
            ConfigError::Parse { path, text, span, message } => {
                Self::new(message).at(path, text, span.clone())
            }
            ConfigError::Invalid { path, text, span, message, help } => {
                Self { help: help.clone(), ..Self::new(message).at(path, text, span.clone()) }
            }
        }
    }
}

/// What a panic says, and where in the sources it stands.
pub fn panicked(panic: &PanicHookInfo<'_>) -> String {
    let message = panicked_with(panic.payload());
    match panic.location() {
        None => message,
        Some(at) => format!("{message} ({}:{})", below_crate(at.file()), at.line()),
    }
}

/// What a panic says, by what it carries.
pub fn panicked_with(payload: &(dyn Any + Send)) -> String {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    let message = owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it does not say why");
    let mut shown: String = message.chars().take(LONGEST).collect();
    if shown.len() < message.len() {
        shown.push('…');
    }
    shown
}

/// A path of a source without the folders of the machine that it was built on.
fn below_crate(path: &str) -> &str {
    let behind = |mark: &str| path.split_once(mark).map(|(_, rest)| rest);
    let of_registry = || behind("/registry/src/")?.split_once('/').map(|(_, rest)| rest);
    of_registry().or_else(|| behind("/rustc/")?.split_once('/').map(|(_, rest)| rest)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_panic_says_is_cut_where_it_is_long() {
        assert_eq!(panicked_with(&"a list without an end"), "a list without an end");
        assert_eq!(panicked_with(&"x".repeat(10_000)).chars().count(), LONGEST + 1);
        assert_eq!(panicked_with(&7), "it does not say why");
        assert!(Failure::of_panic("a list without an end").message.ends_with("a list without an end"));
    }

    #[test]
    fn a_place_names_no_folder_of_the_machine() {
        assert_eq!(below_crate("src/plan/mod.rs"), "src/plan/mod.rs");
        let of_crate =
            "/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/sqlparser-0.63.0/src/lib.rs";
        assert_eq!(below_crate(of_crate), "sqlparser-0.63.0/src/lib.rs");
        assert_eq!(below_crate("/rustc/0123/library/core/src/slice.rs"), "library/core/src/slice.rs");
    }
}

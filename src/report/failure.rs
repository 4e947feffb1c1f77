//! Why a run could not judge, in the one form in which every module's error is shown.

use crate::config::ConfigError;
use std::ops::Range;

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

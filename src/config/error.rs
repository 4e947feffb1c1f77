//! What can be wrong with a configuration file, and where in it.

use super::near;
use std::{io, ops::Range};

/// Why a configuration can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("can't read {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file is no TOML.
    #[error("{path}: {message}")]
    Parse {
        /// The file.
        path: String,
        /// Its text.
        text: String,
        /// The bytes at fault.
        span: Range<usize>,
        /// What is wrong.
        message: String,
    },
    /// The file is TOML, but says what can't be.
    #[error("{path}: {message}")]
    Invalid {
        /// The file.
        path: String,
        /// Its text.
        text: String,
        /// The bytes at fault.
        span: Range<usize>,
        /// What is wrong.
        message: String,
        /// What to write instead.
        help: Option<String>,
    },
}

/// The error behind one of the TOML reader, with the nearest known word where one is misspelt.
pub(super) fn from_toml(path: &str, text: &str, error: &toml::de::Error) -> ConfigError {
    let (path, text) = (path.to_owned(), text.to_owned());
    let span = error.span().unwrap_or(0..0);
    let message = plain(error.message());
    if text.parse::<toml::Table>().is_err() {
        return ConfigError::Parse { path, text, span, message };
    }
    match unknown(&message) {
        Some((message, help)) => ConfigError::Invalid { path, text, span, message, help: Some(help) },
        None => ConfigError::Invalid { path, text, span, message, help: None },
    }
}

/// The message in the words of the manual, on one line.
fn plain(message: &str) -> String {
    let words = [
        ("a sequence", "a list"),
        ("a map", "a table"),
        ("u64", "a whole number, 0 or more"),
        ("f64", "a number"),
    ];
    let message = message.lines().collect::<Vec<_>>().join(", ");
    words.into_iter().fold(message, |message, (theirs, ours)| {
        message.replace(&format!("expected {theirs}"), &format!("expected {ours}"))
    })
}

/// Serde says "unknown field `a`, expected one of `b`, `c`": which word is not known, and which words are.
fn unknown(message: &str) -> Option<(String, String)> {
    let what = match message.strip_prefix("unknown ")?.split_once(' ')?.0 {
        "field" => "key",
        _ => "value",
    };
    let mut words = message.split('`').skip(1).step_by(2);
    let word = words.next()?;
    let known: Vec<&str> = words.collect();
    let help = near(word, known.iter().copied()).map_or_else(
        || format!("known here: {}", known.join(", ")),
        |near| format!("did you mean `{near}`?"),
    );
    Some((format!("unknown {what} `{word}`"), help))
}

//! The file that a page is written to: whole or not at all, and over nothing but another such page.

use super::MARK;
use crate::{report::Failure, source::plain};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// In so many of the first bytes of a page its mark stands.
const HEAD: u64 = 1024;
/// The first bytes of a database.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// A file for a page.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
}

/// Why a page can't be written.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// Something else is there.
    #[error("{0} is there, and is no report of planlint")]
    Other(String),
    /// A database is there.
    #[error("{0} is a database")]
    Database(String),
    /// The system says no.
    #[error("can't write {0}: {1}")]
    Write(String, io::Error),
}

impl Target {
    /// A file of this name, over which the page may be written. Asked before anything is opened: to look into a database
    /// later would drop its locks.
    ///
    /// # Errors
    /// It is there and is no such page, unless that was wanted; and never over a database.
    pub fn new(path: &Path, force: bool) -> Result<Self, TargetError> {
        let display = || path.display().to_string();
        let failed = |error| TargetError::Write(display(), error);
        if path.file_name().is_none() {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it names no file")));
        }
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
            Ok(metadata) if !metadata.is_file() => return Err(TargetError::Other(display())),
            Ok(_) => {
                let mut head = Vec::new();
                File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)).map_err(failed)?;
                if head.starts_with(DATABASE) {
                    return Err(TargetError::Database(display()));
                }
                let is_page = head.windows(MARK.len()).any(|bytes| bytes == MARK.as_bytes());
                if !(is_page || force) {
                    return Err(TargetError::Other(display()));
                }
            }
        }
        Ok(Self { path: path.to_owned() })
    }

    /// Writes the page.
    ///
    /// # Errors
    /// The system says no.
    pub fn write(&self, page: &str) -> Result<(), TargetError> {
        let failed = |error| TargetError::Write(self.path.display().to_string(), error);
        plain::replace(&self.path, page.as_bytes()).map_err(failed)
    }
}

impl From<&TargetError> for Failure {
    fn from(error: &TargetError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            TargetError::Other(_) => failure.with_help("name another file; --force replaces this one"),
            _ => failure,
        }
    }
}

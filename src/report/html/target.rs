//! The file that a page is written to: whole or not at all, and over nothing but another such page.

use super::MARK;
use crate::report::Failure;
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
    beside: PathBuf,
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
        let Some(name) = path.file_name() else {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it names no file")));
        };
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
        let mut beside = name.to_owned();
        beside.push(format!(".{}.part", std::process::id()));
        Ok(Self { path: path.to_owned(), beside: path.with_file_name(beside) })
    }

    /// Writes the page.
    ///
    /// # Errors
    /// The system says no.
    pub fn write(&self, page: &str) -> Result<(), TargetError> {
        let written = fs::write(&self.beside, page).and_then(|()| fs::rename(&self.beside, &self.path));
        written.map_err(|error| {
            // What went wrong first is what the user must hear.
            let _ = fs::remove_file(&self.beside);
            TargetError::Write(self.path.display().to_string(), error)
        })
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

//! How near a database is declared to a file. Knows paths alone.

use super::Database;
use crate::{migration::common_parts, source::Sources};
use std::collections::HashSet;

/// Where a database is declared: the files, and their folders.
pub(super) struct Homes<'a> {
    files: HashSet<&'a str>,
    folders: HashSet<&'a str>,
}

impl<'a> Homes<'a> {
    /// Those of a database.
    pub fn new(sources: &'a Sources, database: &Database) -> Self {
        let files: HashSet<&str> =
            database.declaration.homes.iter().map(|&home| sources.path(home)).collect();
        let folders =
            files.iter().filter_map(|file| file.rsplit_once('/')).map(|(folder, _)| folder).collect();
        Self { files, folders }
    }

    /// How near a path is.
    pub fn nearness(&self, path: &str) -> usize {
        if self.files.contains(path) {
            return usize::MAX;
        }
        self.folders.iter().map(|folder| common_parts(folder, path)).max().unwrap_or(0)
    }
}

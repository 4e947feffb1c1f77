//! How near a database is declared to a file. Knows paths, and the words by which a file says that it uses what made the
//! schema.

use super::Database;
use crate::{
    extract::Extraction,
    migration::{common_parts, users},
    source::Sources,
};
use std::collections::HashSet;

/// Where a database is declared: the files, and their folders.
pub(super) struct Homes<'a> {
    files: HashSet<&'a str>,
    folders: HashSet<&'a str>,
    /// Words of which a file that works on it has one; none where any file may.
    users: &'static [&'static str],
    sources: &'a Sources,
}

impl<'a> Homes<'a> {
    /// Those of a database.
    pub fn new(sources: &'a Sources, extraction: &Extraction, database: &Database) -> Self {
        let files: HashSet<&str> =
            database.declaration.homes.iter().map(|&home| sources.path(home)).collect();
        let folders =
            files.iter().filter_map(|file| file.rsplit_once('/')).map(|(folder, _)| folder).collect();
        let users = users(sources, extraction, &database.declaration);
        Self { files, folders, users, sources }
    }

    /// How near a path is.
    pub fn nearness(&self, path: &str) -> usize {
        if self.files.contains(path) {
            return usize::MAX;
        }
        let near = self.folders.iter().map(|folder| common_parts(folder, path)).max().unwrap_or(0);
        let says = |text: &str| self.users.iter().any(|word| text.contains(word));
        let is_user =
            !self.users.is_empty() && self.sources.find(path).is_some_and(|(_, one)| one.peek(says));
        // Nearer than any path leads.
        if is_user { usize::MAX / 2 + near } else { near }
    }
}

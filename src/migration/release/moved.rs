//! Where the files of a database were at older releases: at the same path, at one of the same name, or wherever the names of
//! their declarations stand. Follows from the newest release back; knows no SQL.

use super::{State, named::Named};
use crate::{
    extract,
    migration::common_parts,
    source::{
        GitError, Sources, folder_of,
        history::{Content, History, Tag},
    },
};
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

/// Where the files of a database were before they moved.
#[derive(Default)]
pub(super) struct Moved {
    /// The paths that a file of today had, from the latest.
    paths: HashMap<String, Vec<String>>,
    /// The folders that a folder of today had, from the latest.
    folders: HashMap<String, Vec<String>>,
    /// The files of today that are not looked for any more: they were not written yet.
    unwritten: HashSet<String>,
    /// The files in which the declarations stood that are found by their names.
    elsewhere: Vec<String>,
    /// The oldest release so far that has some of its files, and these.
    last: Option<(usize, State)>,
    /// Whether nothing of the database was found at a tag: nothing is looked for before that.
    is_over: bool,
}

impl Moved {
    /// Notes what was found at a release.
    pub(super) fn found(&mut self, release: usize, state: &State) {
        if !state.is_empty() {
            self.last = Some((release, state.clone()));
        }
    }

    /// Notes that a folder was another one, and what stood around it as well, as far as they share their names.
    fn note(&mut self, folder: &str, before: &str) {
        let known = self.folders.entry(folder.to_owned()).or_default();
        if !known.iter().any(|one| one == before) {
            known.insert(0, before.to_owned());
        }
        if let (Some((above, name)), Some((above_before, name_before))) =
            (folder.rsplit_once('/'), before.rsplit_once('/'))
            && name == name_before
            && above != above_before
        {
            self.note(above, above_before);
        }
    }
}

/// Finds files that have moved.
pub(super) struct Movers<'a> {
    history: &'a dyn History,
    /// The files of today, which did not move.
    sources: &'a Sources,
    tags: &'a [&'a Tag],
    /// The contents of older paths, by release.
    columns: HashMap<String, Vec<Option<Content>>>,
    /// The files of each release that was listed.
    listed: HashMap<usize, Vec<(String, Content)>>,
    named: Named,
}

impl<'a> Movers<'a> {
    /// Nothing is known yet. `names`: of the declarations of all databases.
    pub fn new(
        history: &'a dyn History,
        sources: &'a Sources,
        tags: &'a [&'a Tag],
        names: &[Vec<String>],
    ) -> Self {
        Self {
            history,
            sources,
            tags,
            columns: HashMap::new(),
            listed: HashMap::new(),
            named: Named::new(names),
        }
    }

    /// Adds to what was found of a database at a release the files that stood elsewhere.
    pub(super) fn follow(
        &mut self,
        release: usize,
        (files, names): (&[String], &[String]),
        moved: &mut Moved,
        state: &mut State,
    ) -> Result<(), GitError> {
        if moved.is_over {
            return Ok(());
        }
        // A migration does not move alone: where others of its folder are there, it was not written yet.
        let folder = |path: &str| folder_of(path).to_owned();
        let there: HashSet<String> =
            state.iter().filter(|(path, _)| extract::is_sql(path)).map(|(path, _)| folder(path)).collect();
        for path in files {
            let is_series = extract::is_sql(path);
            if (is_series && there.contains(&folder(path)))
                || moved.unwritten.contains(path)
                || state.iter().any(|(there, _)| there == path)
            {
                continue;
            }
            match self.before(release, path, is_series, moved)? {
                Some(content) => state.push((path.clone(), content)),
                None => {
                    moved.unwritten.insert(path.clone());
                }
            }
        }
        if state.is_empty() {
            self.by_name(release, names, moved, state)?;
            moved.is_over = state.is_empty();
        }
        state.sort();
        Ok(())
    }

    /// The content of a file at a release, under a path that it had before.
    fn before(
        &mut self,
        release: usize,
        path: &str,
        is_series: bool,
        moved: &mut Moved,
    ) -> Result<Option<Content>, GitError> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let known = moved.paths.entry(path.to_owned()).or_default();
        let beside = moved.folders.get(folder).into_iter().flatten().map(|folder| format!("{folder}/{name}"));
        for before in known.iter().cloned().chain(beside) {
            if let Some(content) = self.content(release, &before)? {
                return Ok(Some(content));
            }
        }
        // Of a series it is enough that one file is looked for in all of the tree.
        if is_series && moved.folders.contains_key(folder) {
            return Ok(None);
        }
        let sources = self.sources;
        let Some(before) = same_name(path, self.list(release)?, sources) else { return Ok(None) };
        known.insert(0, before.clone());
        moved.note(folder, folder_of(&before));
        self.content(release, &before)
    }

    /// The files in which the names of the declarations stand.
    fn by_name(
        &mut self,
        release: usize,
        names: &[String],
        moved: &mut Moved,
        state: &mut State,
    ) -> Result<(), GitError> {
        self.add_elsewhere(release, moved, state)?;
        if state.is_empty() && !names.is_empty() {
            self.list(release)?;
            let last = moved.last.as_ref();
            if let Some((last, _)) = last {
                self.list(*last)?;
            }
            let listed = |release: &usize| self.listed.get(release).into_iter().flatten();
            // What is no other at the release behind it stood beside the declarations there; they stood in what changed, or are
            // the same under another name.
            let own = |content: &Content| {
                last.is_some_and(|(_, state)| state.iter().any(|(_, one)| one == content))
            };
            let also = last.iter().flat_map(|(last, _)| listed(last)).map(|(_, content)| content);
            let also: HashSet<&Content> = also.filter(|content| !own(content)).collect();
            let fresh: Vec<&(String, Content)> =
                listed(&release).filter(|(_, content)| !also.contains(content)).collect();
            moved.elsewhere = self.named.files(self.history, &fresh, names)?;
            self.add_elsewhere(release, moved, state)?;
        }
        Ok(())
    }

    fn add_elsewhere(&mut self, release: usize, moved: &Moved, state: &mut State) -> Result<(), GitError> {
        for path in &moved.elsewhere {
            let content = self.content(release, path)?;
            state.extend(content.map(|content| (path.clone(), content)));
        }
        Ok(())
    }

    fn content(&mut self, release: usize, path: &str) -> Result<Option<Content>, GitError> {
        if !self.columns.contains_key(path) {
            let rows = self.history.find(self.tags, &[path.to_owned()])?;
            let column = rows.into_iter().map(|row| row?.into_iter().next().flatten()).collect();
            self.columns.insert(path.to_owned(), column);
        }
        Ok(self.columns.get(path).and_then(|column| column.get(release)?.clone()))
    }

    fn list(&mut self, release: usize) -> Result<&[(String, Content)], GitError> {
        if let (false, Some(tag)) = (self.listed.contains_key(&release), self.tags.get(release)) {
            self.listed.insert(release, self.history.list(tag)?);
        }
        Ok(self.listed.get(&release).map_or(&[], Vec::as_slice))
    }
}

/// The file of the same name that is nearest by its folders, the last ones first, then the first; none that is still there.
fn same_name(path: &str, listed: &[(String, Content)], sources: &Sources) -> Option<String> {
    let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
    let own = name(path);
    let shared = |other: &str| path.rsplit('/').zip(other.rsplit('/')).take_while(|(a, b)| a == b).count();
    listed
        .iter()
        .map(|(other, _)| other)
        .filter(|other| name(other) == own && sources.find(other).is_none())
        .map(|other| (shared(other), common_parts(path, other), Reverse(other.as_str())))
        .max()
        // Every folder has a mod.rs.
        .filter(|(shared, ..)| *shared >= 2)
        .map(|(.., other)| other.0.to_owned())
}

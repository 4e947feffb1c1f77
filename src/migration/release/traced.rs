//! The files that declare the databases of today, through all releases: equal ones once.

use super::{
    State,
    moved::{Moved, Movers},
    read::States,
};
use crate::{
    extract::{self, Extraction},
    migration::{Declaration, file_number},
    source::{
        GitError, SourceId, Sources,
        history::{History, Tag},
    },
};
use std::{
    collections::{BTreeSet, HashMap},
    sync::mpsc::Sender,
};

/// The databases of today, and where they are declared.
pub(super) struct Declaring<'a> {
    pub sources: &'a Sources,
    pub extraction: &'a Extraction,
    pub declarations: &'a [Declaration],
}

impl Declaring<'_> {
    /// The files that declare each database today, and those that stood beside them in a series and are gone.
    pub fn files(&self, history: &dyn History, tags: &[&Tag]) -> Result<Vec<Vec<String>>, GitError> {
        let mut files: Vec<Vec<String>> =
            self.declarations.iter().map(|one| files(self.sources, self.extraction, one)).collect();
        let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let is_series = |path: &&String| {
            extract::is_sql(path) && file_number(path.rsplit('/').next().unwrap_or("")).is_some()
        };
        let series: Vec<BTreeSet<String>> = files
            .iter()
            .map(|own| own.iter().filter(is_series).filter_map(|path| folder(path)).collect())
            .collect();
        let folders: BTreeSet<String> = series.iter().flatten().cloned().collect();
        let folders: Vec<String> = folders.into_iter().collect();
        for path in history.ever(tags, &folders)?.iter().filter(is_series) {
            for (own, series) in files.iter_mut().zip(&series) {
                let is_its = folder(path).is_some_and(|folder| series.contains(&folder));
                if is_its && self.sources.find(path).is_none() {
                    own.push(path.clone());
                }
            }
        }
        Ok(files)
    }

    /// Gives the states of these files to who waits for them, database by database; gives back the releases, by database, some
    /// folder of which is not in this clone.
    pub fn trace(
        &self,
        history: &dyn History,
        (tags, own): (&[&Tag], &[Vec<usize>]),
        files: &[Vec<String>],
        states: &Sender<(usize, States)>,
    ) -> Result<Vec<(usize, Vec<usize>)>, GitError> {
        let paths: Vec<String> =
            files.iter().flatten().collect::<BTreeSet<_>>().into_iter().cloned().collect();
        let contents = history.find(tags, &paths)?;
        let column: HashMap<&str, usize> =
            paths.iter().enumerate().map(|(index, path)| (path.as_str(), index)).collect();
        let names: Vec<Vec<String>> =
            self.declarations.iter().map(|one| constants(one, self.extraction)).collect();
        let mut movers = Movers::new(history, self.sources, tags, &names);
        let mut unread = Vec::new();
        for (database, (names, files)) in names.iter().zip(files).enumerate() {
            let mut by_state = States::new();
            let mut moved = Moved::default();
            // From the newest, since what has moved is followed back.
            for &release in own.get(database).into_iter().flatten().rev() {
                let Some(Some(row)) = contents.get(release) else {
                    unread.push((database, vec![release]));
                    continue;
                };
                let content = |path: &String| row.get(*column.get(path.as_str())?)?.clone();
                let mut state: State =
                    files.iter().filter_map(|path| Some((path.clone(), content(path)?))).collect();
                if state.len() < files.len() {
                    movers.follow(release, (files, names), &mut moved, &mut state)?;
                }
                moved.found(release, &state);
                by_state.entry(state).or_default().push(release);
            }
            // Nobody waits any more where git failed.
            let _ = states.send((database, by_state));
        }
        Ok(unread)
    }
}

/// The files that declare a database, those of its texts among them.
fn files(sources: &Sources, extraction: &Extraction, declaration: &Declaration) -> Vec<String> {
    let steps = || declaration.steps.iter().chain(&declaration.create);
    let of_steps = steps().filter_map(|step| extraction.literals.get(step.literal));
    // What a text is put together from may stand in other files.
    let of_parts = steps().flat_map(|step| step.text.origins()).map(|(source, _)| source);
    let ids: BTreeSet<SourceId> = of_steps
        .map(|literal| literal.site.source)
        .chain(of_parts)
        .chain(declaration.homes.iter().copied())
        .collect();
    ids.into_iter().map(|id| sources.path(id).to_owned()).collect()
}

/// The names of the constants that hold a database's steps.
fn constants(declaration: &Declaration, extraction: &Extraction) -> Vec<String> {
    let names = declaration.steps.iter().filter_map(|step| {
        extraction.literals.get(step.literal)?.constant.as_ref().filter(|name| name.len() > 8)
    });
    names.collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

//! Folders of numbered files: which numbers there are, which of the files code names one by one, and by what order they
//! run where code reads the folder. Knows names and numbers; knows no SQL.

use super::{Declaration, files, numbers, runners};
use crate::{
    extract::{Extraction, is_sql},
    source::{Site, SourceId, Sources, folder_of},
};
use std::collections::{BTreeMap, BTreeSet};

/// A folder of numbered files that are steps of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Series {
    /// The database, by its place among the declarations.
    pub database: usize,
    /// The folder, without a slash at its end.
    pub folder: String,
    /// Its steps.
    pub members: Vec<Member>,
    /// All numbers that files of the folder have, those included that are not read.
    pub numbers: BTreeSet<u64>,
    /// Where code names the files one by one.
    pub list: Option<Site>,
    /// The steps of files that are not among those, and that nothing else runs.
    pub unlisted: Vec<usize>,
    /// Where code reads the folder, to run its files in the order of their names as text.
    pub sorted: Option<Site>,
}

/// A step of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The step, by its place in the declaration.
    pub step: usize,
    /// The number of its file.
    pub number: u64,
}

/// The series of all declarations, in their order.
pub fn series<'a>(
    sources: &Sources,
    extraction: &Extraction,
    declared: impl IntoIterator<Item = &'a Declaration>,
) -> Vec<Series> {
    let mut found = Vec::new();
    for (database, one) in declared.into_iter().enumerate() {
        let mut folders: BTreeMap<&str, Vec<(Member, SourceId)>> = BTreeMap::new();
        for (step, text) in one.steps.iter().enumerate() {
            let Some(literal) = extraction.literals.get(text.literal) else { continue };
            let path = sources.path(literal.site.source);
            // The number of a script that is run again and again is no version.
            let is_version = text.version.is_some() || !is_sql(path);
            if let Some(number) = number(path).filter(|_| is_version) {
                let member = Member { step, number };
                folders.entry(files::series(path)).or_default().push((member, literal.site.source));
            }
        }
        for members in folders.values_mut() {
            keep_first_parts(sources, members);
        }
        folders.retain(|_, members| {
            members.iter().any(|(_, file)| members.first().is_some_and(|one| one.1 != *file))
        });
        for (folder, members) in folders {
            let files: BTreeSet<SourceId> = members.iter().map(|(_, file)| *file).collect();
            let runners = runners::find(sources, folder, &files);
            let unlisted = members.iter().filter(|(_, file)| runners.unlisted.contains(file));
            found.push(Series {
                database,
                folder: folder.to_owned(),
                list: runners.list,
                unlisted: unlisted.map(|(member, _)| member.step).collect(),
                sorted: runners.sorted,
                numbers: BTreeSet::new(),
                members: members.into_iter().map(|(member, _)| member).collect(),
            });
        }
    }
    count(sources, &mut found);
    found
}

/// Leaves out files that are parts of another one: `3_init.sql` and `3_init.data.sql` are one migration.
fn keep_first_parts(sources: &Sources, members: &mut Vec<(Member, SourceId)>) {
    let mut names: BTreeMap<String, SourceId> = BTreeMap::new();
    for (_, file) in members.iter() {
        names.entry(runners::name(sources.path(*file)).unwrap_or_default()).or_insert(*file);
    }
    members.retain(|(_, file)| names.values().any(|first| first == file));
}

/// Writes down which numbers the files of each folder have.
fn count(sources: &Sources, series: &mut [Series]) {
    if series.is_empty() {
        return;
    }
    let read = sources.iter().map(|(_, source)| source.path.as_str());
    for path in read.chain(sources.others.iter().map(String::as_str)) {
        let Some(number) = any_number(path) else { continue };
        let folder = files::series(path);
        for one in series.iter_mut().filter(|one| one.folder == folder) {
            one.numbers.insert(number);
        }
    }
}

/// The number that a file of a series has alone; `None` where its name begins with several, such as a date or `1.2.3`, or
/// with a number and a letter.
fn number(path: &str) -> Option<u64> {
    let file = own_part(path)?;
    let is_sql = path.rsplit_once('.').is_some_and(|(_, extension)| extension == "sql");
    if !is_sql {
        return numbers::series_number(file);
    }
    let digits = file.trim_start_matches(['V', 'v']);
    let end = digits.find(|one: char| !one.is_ascii_digit())?;
    let (number, rest) = digits.split_at_checked(end)?;
    let mut parts = rest.split(['.', '_', '-']);
    let follows = parts.next()?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_alone = follows.is_empty() && !parts.next().is_some_and(is_number);
    number.parse().ok().filter(|_| is_alone)
}

/// The part of a path with the number; `None` where the folder has a version of its own.
fn own_part(path: &str) -> Option<&str> {
    let folder = folder_of(path);
    let part = files::numbered_part(path)?;
    (files::series(path) == folder || folder.ends_with(part)).then_some(part)
}

/// The number of a file that need not be read.
fn any_number(path: &str) -> Option<u64> {
    let file = own_part(path)?;
    super::file_number(file).or_else(|| numbers::series_number(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_no_number_of_a_series() {
        assert_eq!(number("db/0012_x.sql"), Some(12));
        assert_eq!(number("db/3/up.sql"), None);
        assert_eq!(number("db/3_x/up.sql"), Some(3));
        assert_eq!(number("db/V2__x.sql"), Some(2));
        assert_eq!(number("db/10.sql"), Some(10));
        assert_eq!(number("db/7_2fa.sql"), Some(7));
        assert_eq!(number("db/20240131120000_x.up.sql"), Some(20_240_131_120_000));
        for path in [
            "db/2024-01-31-x.sql",
            "db/1.2.3.sql",
            "db/12a_x.sql",
            "db/U2__x.sql",
            "db/schema.sql",
            "db/0.12/3_x.sql",
        ] {
            assert_eq!(number(path), None, "{path}");
        }
        assert_eq!(number("src/revision_0041.rs"), Some(41));
    }
}

//! Code within a series of .sql files that makes tables of the series anew: its lists of DDL stand in another file, and
//! look like a second database with the same tables. Knows names and numbers; knows no schema.

use super::{
    Declaration, Step, created, file_number,
    groups::{Member, common_parts},
};
use crate::{
    extract::Extraction,
    source::{SourceId, Sources, folder_of},
};
use std::collections::{BTreeMap, BTreeSet};

/// A database of fewer tables is not taken for another one's second half.
const FEWEST: usize = 4;

/// Makes one database of a series of files and the lists by which code in the series makes its tables anew.
pub(super) fn join(
    sources: &Sources,
    extraction: &Extraction,
    numbers: &BTreeMap<SourceId, u64>,
    declared: &mut Vec<Declaration>,
) {
    let codes = Codes::new(sources);
    let mut series: Vec<Option<Code>> = declared.iter().map(|one| codes.beside(sources, one)).collect();
    if series.iter().all(Option::is_none) {
        return;
    }
    let mut tables: Vec<BTreeSet<String>> = declared.iter().map(|one| created(&one.steps)).collect();
    for index in (0..declared.len()).rev() {
        let (Some(one), Some(own)) = (declared.get(index), tables.get(index)) else { continue };
        let is_series = |home: &SourceId| numbers.contains_key(home) || is_sql(sources, *home);
        if own.len() < FEWEST || one.homes.iter().any(is_series) {
            continue;
        }
        let home = one.homes.first().map_or("", |&home| sources.path(home));
        let found = (0..declared.len()).find(|&at| {
            let is_near =
                series.get(at).is_some_and(|code| code.as_ref().is_some_and(|code| code.is_near(home)));
            let both = || tables.get(at).map_or(0, |other| other.intersection(own).count());
            at != index && is_near && both() * 2 >= own.len()
        });
        let Some(at) = found else { continue };
        let one = declared.remove(index);
        tables.remove(index);
        series.remove(index);
        let at = if at > index { at - 1 } else { at };
        if let (Some(first), Some(Some(code))) = (declared.get_mut(at), series.get(at)) {
            add(sources, extraction, first, one, code);
        }
    }
}

fn is_sql(sources: &Sources, file: SourceId) -> bool {
    sources.path(file).rsplit_once('.').is_some_and(|(_, extension)| extension == "sql")
}

/// The tables that folders of numbered files make.
pub(super) fn folders<'a>(
    sources: &'a Sources,
    declared: &[Declaration],
) -> BTreeMap<&'a str, BTreeSet<String>> {
    let series = declared.iter().filter(|one| one.steps.iter().any(|step| step.version.is_some()));
    series.filter_map(|one| Some((folder(sources, *one.homes.first()?), created(&one.steps)))).collect()
}

/// Writes down which members are migrations of which folder, and which are code that makes the tables of such a one anew.
pub(super) fn mark_series(
    sources: &Sources,
    numbers: &BTreeMap<SourceId, u64>,
    folders: &BTreeMap<&str, BTreeSet<String>>,
    files: &[SourceId],
    members: &mut [Member],
) {
    let mut tables = folders.clone();
    for (&file, member) in files.iter().zip(members.iter_mut()) {
        if numbers.contains_key(&file) {
            let folder = folder(sources, file);
            member.series = Some(folder.to_owned());
            tables.entry(folder).or_default().extend(member.created.iter().cloned());
        }
    }
    for member in members.iter_mut().filter(|member| member.series.is_none()) {
        let own = &member.created;
        let is_its = |(folder, made): &(&&str, &BTreeSet<String>)| {
            is_near(folder, &member.path) && made.intersection(own).count() * 2 >= own.len()
        };
        let found = tables.iter().find(is_its).filter(|_| own.len() >= FEWEST);
        member.series = found.map(|(folder, _)| (*folder).to_owned());
    }
}

/// Whether a file stands in a folder, or in one beside it.
fn is_near(folder: &str, path: &str) -> bool {
    common_parts(path, folder) + 1 >= folder.split('/').count()
}

/// The numbered files of code, by their folders: of each the greatest number.
struct Codes(BTreeMap<String, u64>);

impl Codes {
    fn new(sources: &Sources) -> Self {
        let mut greatest: BTreeMap<String, u64> = BTreeMap::new();
        for (file, source) in sources.iter().filter(|(file, _)| !is_sql(sources, *file)) {
            if let Some(number) = stem_number(&source.path) {
                let own = greatest.entry(folder(sources, file).to_owned()).or_default();
                *own = number.max(*own);
            }
        }
        Self(greatest)
    }

    /// The code in the folder of a series of numbered .sql files.
    fn beside(&self, sources: &Sources, series: &Declaration) -> Option<Code> {
        let numbered =
            |home: &&SourceId| is_sql(sources, **home) && stem_number(sources.path(**home)).is_some();
        let folder = series.homes.iter().find(numbered).map(|&home| folder(sources, home))?;
        self.0.get(folder).map(|&number| Code { folder: folder.to_owned(), number })
    }
}

/// The folder of a file.
pub(super) fn folder(sources: &Sources, file: SourceId) -> &str {
    folder_of(sources.path(file))
}

/// Code in the folder of a series, with its number.
struct Code {
    folder: String,
    number: u64,
}

impl Code {
    /// Whether a file stands in the folder, or in one beside it.
    fn is_near(&self, path: &str) -> bool {
        is_near(&self.folder, path)
    }
}

fn stem_number(path: &str) -> Option<u64> {
    file_number(path.rsplit_once('/').map_or(path, |(_, file)| file))
}

/// Puts the steps of the lists in the place of the code that runs them.
fn add(
    sources: &Sources,
    extraction: &Extraction,
    series: &mut Declaration,
    lists: Declaration,
    code: &Code,
) {
    let is_later = |step: &Step| step.version.is_some_and(|version| version > code.number);
    let at = series.steps.iter().position(is_later).unwrap_or(series.steps.len());
    let is_near = |step: &Step| {
        let literal = extraction.literals.get(step.literal);
        literal.is_some_and(|literal| code.is_near(sources.path(literal.site.source)))
    };
    let (near, far): (Vec<Step>, Vec<Step>) = lists.steps.into_iter().partition(is_near);
    series.steps.splice(
        at..at,
        near.into_iter().map(|step| Step { replaces: true, version: Some(code.number), ..step }),
    );
    series.steps.extend(far);
    series.homes.extend(lists.homes);
    series.places.extend(lists.places);
}

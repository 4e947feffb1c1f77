//! The numbers of files that are migrations, some of which are code: in front of a name, behind it, or by the order in which they
//! name each other. Knows names; whether a file makes a schema is told by its words.

use super::{Mentions, conventions::ALL, file_number, files, is_history, mentions, order, unnamed, version};
use crate::{
    extract::{Extraction, Role},
    source::{SourceId, Sources},
};
use std::collections::{BTreeMap, BTreeSet};

/// The literals whose constant has a number in its name that orders nothing: no other constant of the file is called so but for
/// the number, it speaks of no history, and it changes nothing that is there.
pub(super) fn lone(extraction: &Extraction, ddl: &BTreeMap<usize, Mentions>) -> BTreeSet<usize> {
    let mut kinds: BTreeMap<(SourceId, String), Vec<usize>> = BTreeMap::new();
    for &index in ddl.keys() {
        let Some(literal) = extraction.literals.get(index) else { continue };
        let name = literal.constant.as_deref().filter(|name| !is_history(name));
        if let Some(kind) = name.and_then(unnamed::kind) {
            kinds.entry((literal.site.source, kind)).or_default().push(index);
        }
    }
    let is_still = |index: &usize| ddl.get(index).is_some_and(|found| !found.alters);
    let alone = kinds.into_values().filter(|all| all.len() == 1).flatten();
    alone.filter(is_still).collect()
}

/// The numbered files of folders in which migrations are written as code, with their numbers.
pub(super) fn of_code(sources: &Sources, extraction: &Extraction) -> BTreeMap<SourceId, u64> {
    let chains = order::chains(sources);
    let mut folders: BTreeMap<&str, BTreeMap<SourceId, u64>> = BTreeMap::new();
    let mut with_code: BTreeMap<&str, BTreeSet<SourceId>> = BTreeMap::new();
    let literals = || extraction.literals.iter().filter(|literal| literal.role != Role::Test);
    let place = |file: SourceId| sources.path(file).rsplit_once('/').unwrap_or(("", sources.path(file)));
    for literal in literals() {
        let (folder, file) = place(literal.site.source);
        let number = chains.get(&literal.site.source).copied().or_else(|| series_number(file));
        let Some(number) = number else { continue };
        folders.entry(folder).or_default().insert(literal.site.source, number);
        if !literal.language.is_sql && literal.variants.iter().any(|text| mentions(text.as_str()).has_ddl) {
            with_code.entry(folder).or_default().insert(literal.site.source);
        }
    }
    // Where others have two digits, one is a number, too.
    for literal in literals() {
        let (folder, file) = place(literal.site.source);
        if let (Some(files), Some(number)) = (folders.get_mut(folder), short_number(file)) {
            files.entry(literal.site.source).or_insert(number);
        }
    }
    let is_step = |file: &SourceId| {
        chains.contains_key(file)
            || sources.get(*file).is_some_and(|source| ALL.iter().any(|one| one.has_step(source)))
    };
    folders.retain(|folder, _| {
        with_code.get(folder).is_some_and(|files| files.len() >= 2 || files.iter().any(is_step))
    });
    folders.into_values().flatten().collect()
}

/// The number of one digit in front of a file's name: `7_more.up.sql`.
fn short_number(file: &str) -> Option<u64> {
    let (digit, rest) = file.split_at_checked(1)?;
    rest.starts_with(['_', '-']).then(|| digit.parse().ok())?
}

/// Whether a file runs before others of its number, -1, or after, 1: `12_premigrate.go`, `12_post.go`.
pub(super) fn phase(sources: &Sources, file: Option<&SourceId>) -> i8 {
    let path = file.map_or("", |&file| sources.path(file)).to_ascii_lowercase();
    let file = path.rsplit('/').next().unwrap_or("");
    let words = file.trim_start_matches(|one: char| one.is_ascii_digit());
    let is = |phase: &str| {
        let rest = words.trim_start_matches(['_', '-']).strip_prefix(phase);
        words.len() < file.len()
            && rest.is_some_and(|rest| rest.starts_with(['_', '-', '.']) || rest.starts_with("migrat"))
    };
    i8::from(is("post")) - i8::from(is("pre"))
}

/// The number of a file in a series: in front, or behind a word, with two digits at least; or behind one that speaks of migrations.
pub(super) fn series_number(file: &str) -> Option<u64> {
    let (stem, _) = file.rsplit_once('.')?;
    if let Some(version) = files::prefixed(file, 'V') {
        return file_number(version);
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let tail = stem.rsplit('_').next().unwrap_or(stem);
    let numbered = digits(stem) >= 2 || (digits(tail) >= 2 && digits(tail) == tail.len());
    let is_named = || stem.ends_with(|last: char| last.is_ascii_digit()) && is_history(stem);
    if !numbered && !is_named() {
        return None;
    }
    file_number(stem).or_else(|| version(tail))
}

//! Files of SQL beside others that the code names one by one: what it does not name, it does not run. Told by names; a folder that
//! code lists, or whose files it names by parts, is left whole.

use super::{mentions, runners};
use crate::{
    extract,
    source::{Source, Sources, Words},
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// What code has that makes names of files of parts, or lists them.
const PARTS: [&str; 9] =
    ["\".sql\"", "'.sql'", "}.sql", "*.sql", "include_dir", "read_dir", "ReadDir", "readdir", "listdir"];

/// The files of code that name files of SQL: few, so that each name is looked for in these alone.
pub(super) fn naming(sources: &Sources) -> Vec<&Source> {
    static ENDING: Words<'_> = Words::new(&[".sql"]);
    sources.as_slice().par_iter().filter(|source| is_code(source) && source.has_any(&ENDING)).collect()
}

/// Whether code names a file.
pub(super) fn is_named(naming: &[&Source], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    naming.iter().any(|source| source.peek(|text| runners::mentions(text, name).next().is_some()))
}

/// The places of the files, in a folder without numbers, that nothing runs: they make or change tables of those that code has by
/// name. Each file is a path and a text.
pub(super) fn unnamed(
    (sources, naming): (&Sources, &[&Source]),
    folder: &str,
    files: &[(&str, &str)],
) -> BTreeSet<usize> {
    let code = || naming.iter().copied();
    let names: Vec<&str> = files.iter().map(|(path, _)| path.rsplit('/').next().unwrap_or(path)).collect();
    let has = |source: &Source, name: &str, strictly: bool| {
        source.peek(|text| runners::mentions(text, name).any(|at| !strictly || runners::is_string(text, at)))
    };
    let is_named =
        |at: &usize| names.get(*at).is_some_and(|name| code().any(|source| has(source, name, true)));
    let (run, others): (Vec<usize>, Vec<usize>) = (0..files.len()).partition(is_named);
    let text = |at: usize| files.get(at).map_or("", |(_, sql)| *sql);
    let made: BTreeSet<String> = run.iter().flat_map(|&at| mentions(text(at)).created).collect();
    let is_left = |at: &usize| {
        let found = mentions(text(*at));
        let is_known = || names.get(*at).is_some_and(|name| code().any(|source| has(source, name, false)));
        found.created.iter().chain(&found.used).any(|table| made.contains(table)) && !is_known()
    };
    let left: BTreeSet<usize> = others.into_iter().filter(is_left).collect();
    let reads_more = |source: &Source| {
        let is_its = || run.iter().filter_map(|&at| names.get(at)).any(|name| has(source, name, true));
        let by_parts = || source.peek(|text| PARTS.iter().any(|word| text.contains(word)));
        is_its() && by_parts()
    };
    let takes_whole = |source: &Source| is_code(source) && runners::takes_whole(source, folder);
    let is_whole = || code().any(reads_more) || sources.as_slice().par_iter().any(takes_whole);
    if left.is_empty() || is_whole() { BTreeSet::new() } else { left }
}

fn is_code(source: &Source) -> bool {
    runners::is_code(source) && !extract::is_test_code(&source.path)
}

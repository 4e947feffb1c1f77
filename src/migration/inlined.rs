//! Files of SQL beside others that the code names one by one: what it does not name, it does not run. Told by names; a folder that
//! code lists, or whose files it names by parts, is left whole.

use super::{mentions, runners};
use crate::{
    extract,
    source::{Source, Sources},
};
use std::collections::BTreeSet;

/// What code has that makes names of files of parts, or lists them.
const PARTS: [&str; 9] =
    ["\".sql\"", "'.sql'", "}.sql", "*.sql", "include_dir", "read_dir", "ReadDir", "readdir", "listdir"];

/// The places of the files, in a folder without numbers, that nothing runs: they make or change tables of those that code has by
/// name. Each file is a path and a text.
pub(super) fn unnamed(sources: &Sources, folder: &str, files: &[(&str, &str)]) -> BTreeSet<usize> {
    let code = || sources.iter().map(|(_, source)| source).filter(|source| is_code(source));
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
        runners::takes_whole(source, folder) || (is_its() && by_parts())
    };
    if left.is_empty() || code().any(reads_more) { BTreeSet::new() } else { left }
}

fn is_code(source: &Source) -> bool {
    runners::is_code(source) && !extract::is_test_code(&source.path)
}

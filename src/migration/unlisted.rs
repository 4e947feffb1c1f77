//! What is no part of a history in lists: lists for other engines, and files that no list names where one names those beside them, which
//! were never handed in. Knows the names of files.

use super::{Mentions, Step, engines::is_of_servers};
use crate::{
    extract::{Constant, Extraction},
    source::{SourceId, Sources, folder_of},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many files of a folder a list must name, so that it is one of all of them.
const FEWEST: usize = 3;

/// How many digits the number of a migration has at least.
const DIGITS: usize = 3;

/// Leaves out the lists one of whose steps is written for another engine, with what stands in them, and the files beside the others that
/// none of those names.
pub(super) fn leave_out(
    (sources, extraction): (&Sources, &Extraction),
    lists: &mut Vec<(&Constant, Vec<Step>)>,
    ddl: &mut BTreeMap<usize, Mentions>,
) {
    let is_other =
        |(_, steps): &(&Constant, Vec<Step>)| steps.iter().any(|step| is_of_servers(step.text.as_str()));
    for step in lists.iter().filter(|list| is_other(list)).flat_map(|(_, steps)| steps) {
        ddl.remove(&step.literal);
    }
    lists.retain(|list| !is_other(list));
    let beside = among(sources, extraction, lists, ddl.keys().copied());
    ddl.retain(|index, _| !beside.contains(index));
}

/// Those of some literals that stand for a whole file, beside the files of a list and named like them.
fn among(
    sources: &Sources,
    extraction: &Extraction,
    lists: &[(&Constant, Vec<Step>)],
    literals: impl Iterator<Item = usize>,
) -> BTreeSet<usize> {
    let source = |index: usize| extraction.literals.get(index).map(|literal| literal.site.source);
    let mut listed: BTreeMap<(&str, String), BTreeSet<SourceId>> = BTreeMap::new();
    for (list, steps) in lists {
        let files = steps.iter().filter_map(|step| source(step.literal));
        for file in files.filter(|&file| file != list.site.source) {
            let (folder, head) = kind(sources.path(file));
            // `M20240131_crew`, and no word that many names begin with.
            if head.matches('0').count() >= DIGITS {
                listed.entry((folder, head)).or_default().insert(file);
            }
        }
    }
    listed.retain(|_, files| files.len() >= FEWEST);
    let is_left_out = |&index: &usize| {
        let Some(literal) = extraction.literals.get(index) else { return false };
        let file = literal.site.source;
        let listed = listed.get(&kind(sources.path(file)));
        literal.constant.is_some() && listed.is_some_and(|files| !files.contains(&file))
    };
    literals.filter(is_left_out).collect()
}

/// The folder of a path, and what the name of its file begins with, each digit as a zero.
fn kind(path: &str) -> (&str, String) {
    let file = path.rsplit('/').next().unwrap_or(path);
    let head = file.split(['_', '.', '-']).next().unwrap_or(file);
    let head = head.chars().map(|one| if one.is_ascii_digit() { '0' } else { one }).collect();
    (folder_of(path), head)
}

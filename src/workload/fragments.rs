//! Literals that are no statements, for they are only parts of the texts of others.

use crate::{
    extract::{Extraction, Literal, text::Text},
    source::SourceId,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The literals that are only parts of other texts: constants that nothing is handed.
pub(super) fn fragments(extraction: &Extraction) -> HashSet<usize> {
    let mut found = HashSet::new();
    let is_part = |one: &Literal| one.constant.is_some() && one.sink.is_none();
    each_within(extraction, &is_part, &|_| true, &mut |part, _| {
        found.insert(part);
    });
    found
}

/// The literals that other texts alone take in, of which all were planned: there they are judged as they run.
pub(super) fn taken_in(extraction: &Extraction, is_planned: &dyn Fn(usize) -> bool) -> HashSet<usize> {
    let mut open: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
    for (index, literal) in extraction.literals.iter().enumerate().filter(|(_, one)| !one.takers.is_empty()) {
        open.insert(index, literal.takers.clone());
    }
    if open.is_empty() {
        return HashSet::new();
    }
    each_within(extraction, &|one| !one.takers.is_empty(), is_planned, &mut |part, whole| {
        let source = extraction.literals.get(part).map(|one| one.site.source);
        let pieces = || whole.variants.iter().flat_map(Text::origins).filter(|(own, _)| Some(*own) == source);
        if let Some(takers) = open.get_mut(&part) {
            takers.retain(|(start, end)| !pieces().any(|(_, offset)| (*start..*end).contains(&offset)));
        }
    });
    open.into_iter().filter(|(_, takers)| takers.is_empty()).map(|(part, _)| part).collect()
}

/// Goes over the literals among some that are parts of other literals among some.
fn each_within(
    extraction: &Extraction,
    is_part: &dyn Fn(&Literal) -> bool,
    is_whole: &dyn Fn(usize) -> bool,
    found: &mut dyn FnMut(usize, &Literal),
) {
    let mut starts: BTreeMap<(SourceId, u32), usize> = BTreeMap::new();
    for (index, literal) in extraction.literals.iter().enumerate().filter(|(_, one)| is_part(one)) {
        starts.insert((literal.site.source, literal.site.start), index);
    }
    for (index, literal) in extraction.literals.iter().enumerate().filter(|(index, _)| is_whole(*index)) {
        let mut parts = BTreeSet::new();
        for (source, offset) in literal.variants.iter().flat_map(Text::origins) {
            let before = starts.range(..=(source, offset)).next_back().map(|(_, &other)| other);
            let other = before
                .filter(|&other| other != index)
                .and_then(|other| Some((other, extraction.literals.get(other)?)));
            if let Some((other, _)) =
                other.filter(|(_, one)| one.site.source == source && offset < one.site.end)
            {
                parts.insert(other);
            }
        }
        parts.into_iter().for_each(|part| found(part, literal));
    }
}

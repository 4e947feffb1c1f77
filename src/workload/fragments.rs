//! Literals that are no statements, for they are only parts of the texts of others.

use crate::{
    extract::{Extraction, Literal, text::Text},
    source::SourceId,
};
use std::collections::{BTreeMap, HashSet};

/// The literals that are only parts of other texts: constants that nothing is handed.
pub(super) fn fragments(extraction: &Extraction) -> HashSet<usize> {
    within(extraction, &|one| one.constant.is_some() && one.sink.is_none(), &|_| true)
}

/// The literals that only other texts can have in them, and some text has that was planned.
pub(super) fn taken_in(extraction: &Extraction, is_planned: &dyn Fn(usize) -> bool) -> HashSet<usize> {
    within(extraction, &|one| one.is_part, is_planned)
}

/// The literals among some that are parts of other literals among some.
fn within(
    extraction: &Extraction,
    is_part: &dyn Fn(&Literal) -> bool,
    is_whole: &dyn Fn(usize) -> bool,
) -> HashSet<usize> {
    let mut starts: BTreeMap<(SourceId, u32), usize> = BTreeMap::new();
    for (index, literal) in extraction.literals.iter().enumerate().filter(|(_, one)| is_part(one)) {
        starts.insert((literal.site.source, literal.site.start), index);
    }
    let mut found = HashSet::new();
    if starts.is_empty() {
        return found;
    }
    for (index, literal) in extraction.literals.iter().enumerate().filter(|(index, _)| is_whole(*index)) {
        for (source, offset) in literal.variants.iter().flat_map(Text::origins) {
            let before = starts.range(..=(source, offset)).next_back().map(|(_, &other)| other);
            let other = before
                .filter(|&other| other != index)
                .and_then(|other| Some((other, extraction.literals.get(other)?)));
            if let Some((other, _)) =
                other.filter(|(_, one)| one.site.source == source && offset < one.site.end)
            {
                found.insert(other);
            }
        }
    }
    found
}

//! Literals that are no statements, for they are only parts of the texts of others.

use crate::extract::{Extraction, text::Text};
use std::collections::{BTreeMap, HashSet};

/// The literals that are only parts of other texts: constants that nothing is handed.
pub(super) fn fragments(extraction: &Extraction) -> HashSet<usize> {
    let found = extraction.pieces(&|one| one.constant.is_some() && one.sink.is_none(), &|_| true);
    found.into_iter().map(|(piece, _)| piece).collect()
}

/// The literals that other texts alone take in, of which all were planned: there they are judged as they run.
pub(super) fn taken_in(extraction: &Extraction, is_planned: &dyn Fn(usize) -> bool) -> HashSet<usize> {
    let all = extraction.literals.iter().enumerate().filter(|(_, one)| !one.takers.is_empty());
    let mut open: BTreeMap<usize, Vec<(u32, u32)>> =
        all.map(|(index, literal)| (index, literal.takers.clone())).collect();
    for (piece, whole) in extraction.pieces(&|one| !one.takers.is_empty(), is_planned) {
        let source = extraction.literals.get(piece).map(|one| one.site.source);
        let variants = extraction.literals.get(whole).map(|one| one.variants.as_slice()).unwrap_or_default();
        let own = || variants.iter().flat_map(Text::origins).filter(|(own, _)| Some(*own) == source);
        if let Some(takers) = open.get_mut(&piece) {
            takers.retain(|(start, end)| !own().any(|(_, offset)| (*start..*end).contains(&offset)));
        }
    }
    open.into_iter().filter(|(_, takers)| takers.is_empty()).map(|(piece, _)| piece).collect()
}

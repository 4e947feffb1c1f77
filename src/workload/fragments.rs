//! Literals that are no statements, for they are only parts of the texts of others.

use crate::{
    extract::{Extraction, text::Text},
    source::SourceId,
};
use std::collections::{BTreeMap, HashSet};

/// The literals that are only parts of other texts: constants that nothing is handed.
pub(super) fn fragments(extraction: &Extraction) -> HashSet<usize> {
    let mut starts: BTreeMap<(SourceId, u32), usize> = BTreeMap::new();
    for (index, literal) in extraction.literals.iter().enumerate() {
        if literal.constant.is_some() && literal.sink.is_none() {
            starts.insert((literal.site.source, literal.site.start), index);
        }
    }
    let mut found = HashSet::new();
    for (index, literal) in extraction.literals.iter().enumerate() {
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

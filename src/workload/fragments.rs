//! Literals that are no statements, for they are only parts of the texts of others.

use crate::extract::Extraction;
use std::collections::HashSet;

/// The literals that are only parts of other texts: constants that nothing is handed.
pub(super) fn fragments(extraction: &Extraction) -> HashSet<usize> {
    let found = extraction.pieces(&|one| one.constant.is_some() && one.sink.is_none(), &|_| true);
    found.into_iter().map(|(piece, _)| piece).collect()
}

/// The literals that only other texts can have in them, and some text has that was planned.
pub(super) fn taken_in(extraction: &Extraction, is_planned: &dyn Fn(usize) -> bool) -> HashSet<usize> {
    extraction.pieces(&|one| one.is_part, is_planned).into_iter().map(|(piece, _)| piece).collect()
}

//! Texts in code that undo others: they stand in another argument, another method, another column. Told by the code in front
//! of a text, in the way of each convention. Knows brackets and words; no grammar.

use super::{
    conventions::ALL,
    files::BACKWARD,
    levels::{Walk, blanked},
};
use crate::{
    extract::Extraction,
    source::{Site, SourceId, Sources},
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The texts that undo others.
pub(super) struct Reversals(BTreeSet<usize>);

impl Reversals {
    /// Finds those among these literals.
    pub fn among(
        sources: &Sources,
        extraction: &Extraction,
        literals: impl IntoIterator<Item = usize>,
    ) -> Self {
        let mut all: Vec<(usize, Site)> = literals
            .into_iter()
            .filter_map(|index| Some((index, extraction.literals.get(index)?)))
            .filter(|(_, literal)| !literal.language.is_sql)
            .map(|(index, literal)| (index, literal.site))
            .collect();
        // What a document declares comes last, wherever it stands.
        all.sort_unstable_by_key(|(index, site)| (site.source, site.start, *index));
        let of = |file: &[(usize, Site)]| -> Vec<usize> {
            let code =
                file.first().map_or_else(String::new, |(_, site)| blanked(sources, extraction, site.source));
            let mut walk = Walk::through(code);
            let mut undoes = |site: &Site| {
                let levels = walk.levels(site.start as usize);
                ALL.iter().any(|one| (one.undoes)(&levels))
            };
            file.iter().filter(|(_, site)| undoes(site)).map(|(index, _)| *index).collect()
        };
        let found = all.par_chunk_by(|a, b| a.1.source == b.1.source).flat_map_iter(of).collect();
        Self(found)
    }

    /// Whether a literal is one of them.
    pub fn has(&self, literal: usize) -> bool {
        self.0.contains(&literal)
    }
}

/// Whether a constant leads back from what another one of its file leads to: `down_berths` beside `berths`.
pub(super) fn leads_back(extraction: &Extraction, constant: &str, file: SourceId) -> bool {
    let rest = BACKWARD.iter().find_map(|word| constant.strip_prefix(word)?.strip_prefix('_'));
    let mut own = extraction.constants.iter().filter(|one| one.site.source == file);
    rest.is_some_and(|rest| own.any(|one| one.name == rest))
}

/// Functions that lead back to an older version.
pub(super) fn is_backward(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    BACKWARD.iter().any(|word| lower.starts_with(word))
}

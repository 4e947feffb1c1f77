//! Texts with a piece for another engine: where code asks which one it speaks to, and puts another clause into the text for each.

use super::guards::Guards;
use crate::{
    extract::{Literal, text::Text},
    source::{Site, SourceId, Sources},
};
use rayon::prelude::*;
use std::collections::HashSet;

/// Leaves out those texts of literals of which a piece is for another engine, where one is left for SQLite.
pub fn leave_others(sources: &Sources, literals: &mut [Literal]) {
    let all: HashSet<(SourceId, u32)> = literals
        .par_iter()
        .filter(|literal| literal.variants.len() > 1)
        .flat_map_iter(|literal| literal.variants.iter().flat_map(|text| pieces(literal.site, text)))
        .collect();
    let guards = Guards::new(sources, all.iter().map(|(source, _)| *source));
    let is_other = |(source, at): &(SourceId, u32)| guards.are_for_another(*source, *at);
    let others: HashSet<(SourceId, u32)> = all.into_par_iter().filter(is_other).collect();
    if others.is_empty() {
        return;
    }
    for literal in literals.iter_mut().filter(|literal| literal.variants.len() > 1) {
        let is_other = |text: &Text| pieces(literal.site, text).any(|piece| others.contains(&piece));
        let are_others: Vec<bool> = literal.variants.iter().map(is_other).collect();
        if are_others.contains(&false) {
            let mut are_others = are_others.into_iter();
            literal.variants.retain(|_| !are_others.next().unwrap_or_default());
        }
    }
}

/// Where the pieces of a text stand that come from elsewhere than the literal itself.
fn pieces(own: Site, text: &Text) -> impl Iterator<Item = (SourceId, u32)> {
    text.origins().filter(move |(source, at)| *source != own.source || !(own.start..own.end).contains(at))
}

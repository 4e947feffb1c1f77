//! Databases in memory beside one on disk that has the same tables: what code runs where it opens `:memory:`, and nowhere else, is no
//! step of the other.

use super::{
    Declaration, Mentions, Step, mentions,
    ways::{Way, Ways},
};
use crate::extract::Extraction;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Makes a database of its own of what is run in memory alone, where both make some table and work on none that only the other makes.
pub(super) fn part(extraction: &Extraction, declared: &mut Vec<Declaration>) {
    // Most programs open none.
    if !extraction.setups.iter().any(|setup| setup.in_memory) {
        return;
    }
    let apart = declared.par_iter_mut().filter_map(|one| {
        let ways = Ways::new(extraction, &one.steps);
        let is_in_memory = |step: &Step| {
            let own = ways.of(step);
            !own.is_empty() && own.iter().all(Way::is_in_memory)
        };
        let (memory, disk): (Vec<Step>, Vec<Step>) = one.steps.iter().cloned().partition(is_in_memory);
        let is_apart = || {
            let (own, others) = (made(&memory)?, made(&disk)?);
            Some(!own.is_disjoint(&others))
        };
        if memory.is_empty() || is_apart() != Some(true) {
            return None;
        }
        let apart = one.with(memory);
        *one = one.with(disk);
        Some(apart)
    });
    let apart: Vec<Declaration> = apart.collect();
    declared.extend(apart);
}

/// The tables that steps make; `None` where they work on others.
fn made(steps: &[Step]) -> Option<BTreeSet<String>> {
    let found: Vec<Mentions> = steps.iter().map(|step| mentions(step.text.as_str())).collect();
    let made: BTreeSet<String> = found.iter().flat_map(|one| one.created.iter().cloned()).collect();
    found.iter().flat_map(|one| &one.used).all(|table| made.contains(table)).then_some(made)
}

//! Databases in memory beside one on disk: what code runs where it opens `:memory:`, and nowhere else, is no step of the other,
//! though it makes tables of the same names.

use super::{
    Declaration, Step, mentions,
    ways::{Way, Ways},
};
use crate::extract::Extraction;
use std::collections::BTreeSet;

/// Makes a database of its own of what is run in memory alone, where all that it works on is made there, and other steps are not.
pub(super) fn part(extraction: &Extraction, declared: &mut Vec<Declaration>) {
    let mut apart = Vec::new();
    for one in declared.iter_mut() {
        let ways = Ways::new(extraction, &one.steps);
        let is_in_memory = |step: &Step| {
            let own = ways.of(step);
            !own.is_empty() && own.iter().all(Way::is_in_memory)
        };
        let (memory, disk): (Vec<Step>, Vec<Step>) = one.steps.iter().cloned().partition(is_in_memory);
        let is_on_disk = |step: &Step| !ways.of(step).is_empty() && mentions(step.text.as_str()).makes_table;
        if memory.is_empty() || !makes_its_own(&memory) || !disk.iter().any(is_on_disk) {
            continue;
        }
        let own = of(one, memory);
        *one = of(one, disk);
        apart.push(own);
    }
    declared.extend(apart);
}

/// The same database with these steps alone.
fn of(one: &Declaration, steps: Vec<Step>) -> Declaration {
    let names: BTreeSet<&str> = steps.iter().map(|step| step.name.as_str()).collect();
    let is_its = |place: &&String| place.rsplit("::").next().is_some_and(|name| names.contains(name));
    let places = one.places.iter().filter(is_its).cloned().collect();
    Declaration { places, steps, ..one.clone() }
}

/// Whether steps make tables, and work on no others.
fn makes_its_own(steps: &[Step]) -> bool {
    let mut made: BTreeSet<String> = BTreeSet::new();
    let own = steps.iter().all(|step| {
        let found = mentions(step.text.as_str());
        made.extend(found.created);
        found.used.iter().all(|table| made.contains(table))
    });
    own && !made.is_empty()
}

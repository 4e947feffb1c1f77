//! Functions that have SQLite ignore CHECKs before they run a step: a row that breaks one is not in its way. What asks for them again may
//! stand anywhere, as what Go defers does in front of the step, and is not looked for.

use super::{Step, ways::Ways};
use crate::{
    extract::{Extraction, sql::is_on},
    source::Site,
};
use std::collections::BTreeMap;

/// Marks the steps that run behind such a text, wherever they run.
pub(super) fn mark(extraction: &Extraction, ways: &Ways<'_>, steps: &mut [Step]) {
    let mut firsts: BTreeMap<u32, Site> = BTreeMap::new();
    for literal in &extraction.literals {
        let is_one = literal.variants.first().is_some_and(|text| ignores_checks(text.as_str()));
        if let Some(function) = literal.function.filter(|_| is_one) {
            firsts.entry(function).or_insert(literal.site);
        }
    }
    for step in steps {
        let places = ways.places.get(&step.literal).map_or(&[] as &[_], Vec::as_slice);
        let is_behind = |function: u32, place: Site| {
            let first = firsts.get(&function);
            first.is_some_and(|first| first.source == place.source && first.start < place.start)
        };
        step.is_unchecked =
            !places.is_empty() && places.iter().all(|place| is_behind(place.function, place.site));
    }
}

/// Whether a text says that and nothing else.
fn ignores_checks(sql: &str) -> bool {
    let lower = sql.trim_start().to_ascii_lowercase();
    let value = lower.strip_prefix("pragma").and_then(|rest| rest.split_once("ignore_check_constraints"));
    value.is_some_and(|(_, value)| is_on(value.trim_matches(|one: char| one == ' ' || "=();'".contains(one))))
}

//! What code takes away and makes anew by a text that is a step already: it runs once more there. Knows the ways of the code; what
//! comes of it is for SQLite to say.

use super::{
    Step, mentions,
    tables::{Deed, deeds},
    ways::Ways,
};
use crate::extract::{Setup, sql::contains_word};

/// Lets the texts that make a table run once more behind what drops it, where the same line of code goes on with them, and no other step
/// makes it later.
pub(super) fn follow(ways: &Ways<'_>, steps: &mut Vec<Step>) {
    // From the end: what makes several tables anew follows the last of them.
    for at in (0..steps.len()).rev() {
        let again: Vec<Step> = again(ways, steps, at).collect();
        if again.is_empty() {
            continue;
        }
        let rest = steps.split_off(at + 1);
        steps.extend(again);
        steps.extend(rest);
    }
}

/// What makes the tables anew that the step at a place drops.
fn again<'s>(ways: &Ways<'_>, steps: &'s [Step], at: usize) -> impl Iterator<Item = Step> + 's {
    let (before, behind) = steps.split_at_checked(at).unwrap_or_default();
    let drop = behind.first();
    let place = drop.and_then(|drop| match ways.places.get(&drop.literal)?.as_slice() {
        [place] => Some(*place),
        _ => None,
    });
    let makes = |step: &Step, table: &String| mentions(step.text.as_str()).created.contains(table);
    let mut gone = drop.filter(|_| place.is_some()).map_or_else(Vec::new, dropped);
    gone.retain(|table| !behind.iter().any(|step| makes(step, table)));
    let mut next: Vec<&Step> = Vec::new();
    if let Some(place) = place.filter(|_| !gone.is_empty()) {
        next.extend(before.iter().filter(|step| goes_on(ways, place, step)));
    }
    gone.retain(|table| next.iter().any(|step| makes(step, table)));
    next.retain(|step| gone.iter().any(|table| contains_word(&step.key, table)));
    next.into_iter().zip(drop.into_iter().cycle()).map(|(made, drop)| Step {
        literal: made.literal,
        text: made.text.clone(),
        key: made.key.clone(),
        is_part: made.is_part,
        ..drop.clone()
    })
}

/// The tables that a step takes away.
fn dropped(step: &Step) -> Vec<String> {
    let name = |deed: Deed| if let Deed::Drops(name) = deed { Some(name) } else { None };
    deeds(step.text.as_str()).into_iter().filter_map(name).collect()
}

/// Whether the line of code at a place goes on to a step, itself or by what it calls.
fn goes_on(ways: &Ways<'_>, from: &Setup, step: &Step) -> bool {
    let is_line = |place: &Setup| {
        let around = |arm: (usize, usize)| from.arms.iter().any(|way| way.arm == arm);
        let is_behind = place.site.source == from.site.source && place.site.start > from.site.start;
        place.function == from.function && is_behind && place.arms.iter().all(|way| around(way.arm))
    };
    ways.of(step).iter().any(|way| way.0.iter().any(|place| is_line(place)))
}

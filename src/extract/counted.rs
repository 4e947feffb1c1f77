//! Who tells how many turns a loop has, and may stand in a file of which only an outline is kept: a function that gives the
//! count or the list, the type that has the field which is walked over. Asks no more of the tree than `src/extract/calls/few.rs` does.

use super::{
    flow::{Flow, Flows, Walked},
    fold::{Folder, Spot},
};
use rayon::prelude::*;
use rustc_hash::FxHashSet as HashSet;
use std::ops::Range;

/// The functions and types that the loops of a tree ask.
pub(super) fn asked_by_loops(folder: &Folder<'_>) -> HashSet<Box<str>> {
    let flows = Flows::new(folder);
    let all = folder.units.par_iter().enumerate().filter(|(_, unit)| !unit.is_test);
    all.flat_map_iter(|(unit, file)| {
        let mut found = Vec::new();
        for one in &file.sketch.loops {
            let function = file.sketch.function_around(one.start as usize);
            let spot = function.map(|function| Spot::at(unit, function));
            let Some((spot, flow)) = spot.and_then(|spot| Some((spot, flows.of(spot)?))) else { continue };
            match flow.walked(one.body as usize) {
                Some(Walked::Count(count)) => add_called(folder, (spot, flow), count, &mut found),
                Some(Walked::Field(owner, _)) => found.push(owner.into()),
                Some(Walked::Returned(call)) => {
                    found.push(folder.word(spot, call).into());
                    for argument in flow.arguments_of(call) {
                        add_called(folder, (spot, flow), argument, &mut found);
                    }
                }
                None => {}
            }
        }
        found
    })
    .collect()
}

/// The functions that those of some names ask for what they give.
pub(super) fn asked_by(folder: &Folder<'_>, names: &HashSet<Box<str>>) -> HashSet<Box<str>> {
    let flows = Flows::new(folder);
    let all = folder.units.par_iter().enumerate().filter(|(_, unit)| !unit.is_test);
    all.flat_map_iter(|(unit, file)| {
        let mut found = Vec::new();
        for (index, function) in (0_u32..).zip(&file.sketch.functions) {
            let spot = Spot::at(unit, index);
            if names.contains(folder.word(spot, function.name as usize))
                && let Some(flow) = flows.of(spot)
                && let Some(value) = flow.lone_value()
            {
                add_called(folder, (spot, flow), value, &mut found);
            }
        }
        found
    })
    .collect()
}

/// Adds what is called in a number, or in what a name in it was given.
fn add_called(
    folder: &Folder<'_>,
    (spot, flow): (Spot, &Flow<'_>),
    number: Range<usize>,
    found: &mut Vec<Box<str>>,
) {
    let given = |at| flow.given_value(folder.word(spot, at), at).map(|(value, _)| value);
    let within: Vec<usize> = number.clone().chain(number.filter_map(given).flatten()).collect();
    for at in within.into_iter().filter(|&at| folder.is(spot, at + 1, b'(')) {
        found.push(folder.word(spot, at).into());
    }
}

//! Steps for databases whose tables an earlier version of the program declared otherwise: code runs them where it finds a piece
//! of that in the catalogue. As no declaration has the piece any more, they would undo what new databases are made with.

use super::{Declaration, Step, mentions, ways::Ways};
use crate::extract::{Extraction, sql};

/// Leaves such steps out, and keeps them as texts beside the schema.
pub(super) fn leave_out(extraction: &Extraction, ways: &Ways<'_>, declaration: &mut Declaration) {
    // Few programs look for pieces, and all ways to all steps are many.
    if !extraction.setups.iter().flat_map(|setup| &setup.arms).any(|arm| !arm.held.is_empty()) {
        return;
    }
    let pieces = |step: &Step| -> Vec<String> {
        let own = ways.of(step);
        let arms = own.iter().flat_map(|way| &way.0).flat_map(|place| &place.arms);
        arms.flat_map(|arm| &arm.held).map(|piece| sql::key(piece)).collect()
    };
    let held: Vec<Vec<String>> = declaration.steps.iter().map(pieces).collect();
    let all = || declaration.steps.iter().zip(&held);
    let declared: Vec<&str> =
        all().filter(|(_, held)| held.is_empty()).map(|(step, _)| step.key.as_str()).collect();
    let is_declared = |piece: &String| declared.iter().any(|text| text.contains(piece.as_str()));
    let mut last: Option<&Step> = None;
    let mut is_out: Vec<bool> = Vec::new();
    for (step, held) in all() {
        // What moves rows goes with what stands in front of it.
        let follows = last.is_some_and(|last| last.home == step.home && last.name == step.name)
            && step.is_loose
            && !mentions(step.text.as_str()).has_ddl;
        // What adds the piece itself asks for it in vain.
        let adds = |piece: &String| step.key.contains(piece.as_str());
        let is_own = !held.is_empty() && !held.iter().any(|piece| is_declared(piece) || adds(piece));
        let is_out_too = is_own || held.is_empty() && follows && ways.of(step).is_empty();
        last = Some(step).filter(|_| is_out_too);
        is_out.push(is_out_too);
    }
    let steps = std::mem::take(&mut declaration.steps);
    for (step, is_out) in steps.into_iter().zip(is_out) {
        if is_out {
            declaration.aside.push(step.literal);
        } else {
            declaration.steps.push(step);
        }
    }
}

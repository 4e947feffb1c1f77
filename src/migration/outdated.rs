//! Steps for databases whose tables an earlier version of the program declared otherwise: code runs them where it finds a piece
//! of that in the catalogue. As no declaration has the piece any more, they would undo what new databases are made with.

use super::{Declaration, Step, mentions, ways::Ways};

/// Leaves such steps out, and keeps them as texts beside the schema.
pub(super) fn leave_out(ways: &Ways<'_>, declaration: &mut Declaration) {
    let pieces = |step: &Step| -> Vec<String> {
        let own = ways.of(step);
        let held = own.iter().flat_map(|way| &way.0).flat_map(|place| &place.arms).flat_map(|arm| &arm.held);
        held.map(|piece| plain(piece)).collect()
    };
    let held: Vec<Vec<String>> = declaration.steps.iter().map(pieces).collect();
    if held.iter().all(Vec::is_empty) {
        return;
    }
    let all = || declaration.steps.iter().zip(&held);
    let declared: Vec<String> =
        all().filter(|(_, held)| held.is_empty()).map(|(step, _)| plain(step.text.as_str())).collect();
    let is_declared = |piece: &String| declared.iter().any(|text| text.contains(piece.as_str()));
    let mut last: Option<&Step> = None;
    let mut is_out: Vec<bool> = Vec::new();
    for (step, held) in all() {
        // What moves rows goes with what stands in front of it.
        let follows = last.is_some_and(|last| last.home == step.home && last.name == step.name)
            && step.is_loose
            && !mentions(step.text.as_str()).has_ddl;
        let own = plain(step.text.as_str());
        let adds = |piece: &String| own.contains(piece.as_str());
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

/// A text in lower case, with one space for all white space.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

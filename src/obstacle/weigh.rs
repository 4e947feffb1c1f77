//! Whether one plan is better than another: fewer full reads, then fewer sorts, then more that is found by a key and not by a
//! range alone, then more terms that seek.

use super::is_sort;
use crate::{
    plan::{Index, Op, Plan, Step, TermKind},
    schema::replan::TRIAL,
};
use std::cmp::Reverse;

/// What a plan costs, as far as it shows: the less the better.
pub type Weight = (usize, usize, Reverse<usize>, Reverse<usize>);

/// What a plan costs, of all steps that are the statement's own.
pub fn weight(plan: &Plan) -> Weight {
    let own = || plan.steps.iter().filter(|step| step.program.is_none());
    let found = || own().filter(|step| !step.is_automatic());
    let has_key = |step: &&Step| step.terms.iter().any(|term| term.kind == TermKind::Equal);
    (
        own().filter(|step| is_full(step)).count(),
        own().filter(|step| is_sort(step)).count(),
        Reverse(found().filter(has_key).count()),
        Reverse(found().map(|step| step.terms.len()).sum()),
    )
}

/// Whether a step reads a whole table: also one that builds an index of it.
pub fn is_full(step: &Step) -> bool {
    match step.op {
        Op::Scan => step.name.as_deref().is_none_or(|name| !name.starts_with('(')),
        Op::Search => step.is_automatic() || step.terms.is_empty(),
        _ => false,
    }
}

/// Whether a plan is better than the one before, and the step that goes by this name is why: it is searched by more
/// terms, or in the order that was asked for.
pub(super) fn improves(before: &Plan, after: &Plan, step: &Step) -> bool {
    let named = |other: &&Step| {
        other.name == step.name && other.program.is_none() && matches!(other.op, Op::Scan | Op::Search)
    };
    let full = |plan: &Plan| plan.steps.iter().filter(named).filter(|one| is_full(one)).count();
    let terms = |plan: &Plan| plan.steps.iter().filter(named).map(|one| one.terms.len()).max().unwrap_or(0);
    let sorts = |plan: &Plan| plan.steps.iter().filter(|one| is_sort(one)).count();
    let is_changed =
        full(after) < full(before) || terms(after) > terms(before) || sorts(after) < sorts(before);
    is_changed && weight(after) < weight(before)
}

/// What is printed for the steps that go by the name of this one.
pub(super) fn step_named(plan: &Plan, step: &Step) -> String {
    let named = |other: &&Step| {
        other.name == step.name && other.program.is_none() && matches!(other.op, Op::Scan | Op::Search)
    };
    let mut details: Vec<&str> = Vec::new();
    for one in plan.steps.iter().filter(named) {
        if !details.contains(&one.detail.as_str()) {
            details.push(&one.detail);
        }
    }
    details.join(" and ")
}

/// What is printed for a step that goes by the index on trial, without the name of that.
pub(super) fn trial_words(step: &Step) -> String {
    if step.op == Op::InIndex {
        return "USING INDEX FOR IN-OPERATOR".to_owned();
    }
    let (before, way) = step.detail.split_once(" USING ").unwrap_or((&step.detail, ""));
    let terms = way.find(" (").and_then(|at| way.get(at + 1..)).unwrap_or("");
    let terms = if step.terms.is_empty() { String::new() } else { format!(" {terms}") };
    format!("{before}{terms}")
}

/// The step that goes by the index on trial.
pub(super) fn trial_step(plan: &Plan) -> Option<&Step> {
    plan.steps
        .iter()
        .find(|step| matches!(&step.index, Some(Index::Named { name, .. }) if name.starts_with(TRIAL)))
}

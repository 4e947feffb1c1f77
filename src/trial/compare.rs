//! What tells one plan from another, and what a plan alone says of a cost.

use crate::{
    extract::names::{Clause, Names, Value},
    plan::{Index, Op, Plan, Step, TermKind},
    schema::{IndexObject, same},
};
use std::collections::HashMap;

/// Whether a step reads a table by the index of this name.
pub(super) fn goes_by(step: &Step, index: &str) -> bool {
    reads(step) && matches!(&step.index, Some(Index::Named { name, .. }) if name.eq_ignore_ascii_case(index))
}

/// Whether a plan goes by an index.
pub(super) fn uses(plan: &Plan, index: &IndexObject) -> bool {
    plan.steps.iter().any(|step| {
        goes_by(step, &index.name) && step.schema.as_deref().is_none_or(|schema| same(schema, &index.schema))
    })
}

/// The plans that go by an index, by its name in small letters: those that may, where schemas have indexes of one name.
pub(super) fn by_index<'a>(plans: impl Iterator<Item = &'a Plan>) -> HashMap<String, Vec<usize>> {
    let mut found: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, plan) in plans.enumerate() {
        for step in plan.steps.iter().filter(|step| reads(step)) {
            let Some(Index::Named { name, .. }) = &step.index else { continue };
            let all = found.entry(name.to_ascii_lowercase()).or_default();
            if all.last() != Some(&at) {
                all.push(at);
            }
        }
    }
    found
}

fn reads(step: &Step) -> bool {
    matches!(step.op, Op::Scan | Op::Search)
}

/// Whether other indexes do what one did in a plan before: whatever went by it is still found by a key.
pub(super) fn by_another(before: &Plan, after: &Plan, index: &str) -> bool {
    let mut went = before.steps.iter().filter(|step| goes_by(step, index));
    went.all(|step| {
        let mut now = named_like(after, step).peekable();
        now.peek().is_some() && now.all(|step| step.index.is_some() && !step.is_automatic())
    })
}

/// The steps that read what a step reads, by its printed name.
pub(super) fn named_like<'a>(plan: &'a Plan, step: &'a Step) -> impl Iterator<Item = &'a Step> {
    plan.steps.iter().filter(move |one| reads(one) && one.name == step.name && one.program == step.program)
}

/// The rows of a plan that another does not have, or not so often, once each.
pub(super) fn only_in(plan: &Plan, other: &Plan) -> Vec<String> {
    let mut there: HashMap<&str, usize> = HashMap::new();
    for step in &other.steps {
        *there.entry(&step.detail).or_default() += 1;
    }
    let mut found: Vec<String> = Vec::new();
    for step in plan.steps.iter().filter(|step| reads(step) || matches!(step.op, Op::TempBTree(_))) {
        let rest = there.get_mut(step.detail.as_str()).filter(|rest| **rest > 0);
        match rest {
            Some(rest) => *rest -= 1,
            None if !found.contains(&step.detail) => found.push(step.detail.clone()),
            None => {}
        }
    }
    found
}

/// Whether a plan alone says that the cost is not that of the tables: each step that reads one that grows seeks a value
/// which the caller gives, or a row of another table has. A value that is written in the statement may be that of most
/// rows.
pub(super) fn is_narrow(plan: &Plan, names: Option<&Names>, grows: impl Fn(&str) -> bool) -> bool {
    let own = plan.steps.iter().filter(|step| step.program.is_none() && reads(step));
    own.filter(|step| step.table.as_deref().is_none_or(&grows)).all(|step| {
        let mut equal = step.terms.iter().filter(|term| term.kind == TermKind::Equal);
        step.op == Op::Search
            && !step.is_automatic()
            && equal.any(|term| step.index == Some(Index::Rowid) || is_given(&term.column, names))
    })
}

/// Whether a plan alone says that nothing is read but what equals a value: no table whole, and no range.
pub(super) fn seeks_equal(plan: &Plan) -> bool {
    plan.steps.iter().filter(|step| reads(step)).all(|step| {
        let mut terms = step.terms.iter();
        let is_sought = step.op == Op::Search && !step.is_automatic() && !step.terms.is_empty();
        is_sought && terms.all(|term| term.kind == TermKind::Equal)
    })
}

/// Whether a column is compared with what is not written in the statement.
fn is_given(column: &str, names: Option<&Names>) -> bool {
    let predicates = names.map_or(&[][..], |names| names.predicates.as_slice());
    let mut own = predicates.iter().filter(|one| {
        one.column.eq_ignore_ascii_case(column) && matches!(one.clause, Clause::Where | Clause::Join)
    });
    own.any(|one| !matches!(one.value, Value::Literal(_) | Value::Nothing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(lines: &[&str]) -> Plan {
        let step = |detail: &&str| Step { op: Op::Search, detail: (*detail).to_owned(), ..Step::default() };
        Plan { steps: lines.iter().map(step).collect() }
    }

    #[test]
    fn a_row_that_two_arms_have_is_gone_where_one_of_them_has_it_no_more() {
        let (both, one) =
            (plan(&["SEARCH t USING INDEX a", "SEARCH t USING INDEX a"]), plan(&["SEARCH t USING INDEX a"]));
        assert_eq!(only_in(&both, &one), ["SEARCH t USING INDEX a"]);
        assert!(only_in(&one, &both).is_empty());
    }
}

//! Statements of which nothing is said that SQLite says of them as they stand: parts of others, what goes together in another way, and
//! what works on the database of somebody else.

use super::{
    Outcome, Passed, Statement, Why,
    fragments::taken_in,
    outcome::{APART, CONTINUED, OTHERS},
};
use crate::{extract::Extraction, schema::RefusalKind, source::SourceId};
use std::collections::{HashMap, HashSet};

/// A text with several variants that compiles in one of them was put together by conditions that go together: what is
/// no SQL in another one never comes about, nor what names other columns for another caller. The same goes for one with pieces
/// that are put on only sometimes; of what one condition alone puts on nothing is said that SQLite refuses.
pub(super) fn forgive(statements: &mut Vec<Statement>) {
    let mut planned: HashMap<usize, HashSet<usize>> = HashMap::new();
    for one in statements.iter().filter(|one| one.explained().is_some()) {
        planned.entry(one.literal).or_default().insert(one.branch);
    }
    statements.retain_mut(|one| {
        let branches = planned.get(&one.literal);
        let is_other = branches.is_some_and(|branches| branches.iter().any(|&branch| branch != one.branch));
        if one.text.is_alone() && is_other && one.explained().is_none() {
            return false;
        }
        let is_optional = one.text.is_optional();
        if matches!(&one.outcome, Outcome::Dynamic { reason } if reason == CONTINUED || reason == APART)
            && is_other
            && is_optional
        {
            return false;
        }
        if let Outcome::Refused { refusal, .. } = &one.outcome
            && (matches!(refusal.kind, RefusalKind::Syntax | RefusalKind::Incomplete)
                || (one.text.is_handed() && is_other))
        {
            if is_other && is_optional {
                return false;
            }
            if is_other || is_optional {
                one.outcome = Outcome::Dynamic { reason: APART.to_owned() };
            }
        }
        true
    });
}

/// Refuses nothing of a file of which most statements name columns that the schema lacks: what has tables of the same names is
/// the database of another program, or of an earlier one.
pub(super) fn spare_others(statements: &mut [Statement]) {
    const FEWEST: usize = 3;
    let lacks = |one: &Statement| matches!(&one.outcome, Outcome::Refused { refusal, .. } if matches!(refusal.kind, RefusalKind::NoSuchColumn(_)));
    // By file, the texts that lack columns, and those that were planned.
    let mut counts: HashMap<SourceId, [HashSet<usize>; 2]> = HashMap::new();
    for one in statements.iter().filter(|one| one.logged.is_none()) {
        let [refused, planned] = counts.entry(one.site.source).or_default();
        if lacks(one) {
            refused.insert(one.literal);
        } else if one.explained().is_some() {
            planned.insert(one.literal);
        }
    }
    let is_other = |one: &Statement| {
        let counts = counts.get(&one.site.source);
        counts.is_some_and(|[refused, planned]| refused.len() >= FEWEST && refused.len() > planned.len())
    };
    for one in statements.iter_mut().filter(|one| lacks(one) && is_other(one)) {
        one.outcome = Outcome::Dynamic { reason: OTHERS.to_owned() };
    }
}

/// Takes out what only other texts can have in them, and a statement has: there it is judged as it runs.
pub(super) fn drop_parts(statements: &mut Vec<Statement>, extraction: &Extraction) -> Vec<Passed> {
    let planned: HashSet<usize> =
        statements.iter().filter(|one| one.explained().is_some()).map(|one| one.literal).collect();
    let is_planned = |index: usize| planned.contains(&index);
    let mut parts = taken_in(extraction, &is_planned);
    // What nothing runs, SQLite refuses and a planned text has in it, is said of that.
    let refused = statements.iter().filter(|one| matches!(one.outcome, Outcome::Refused { .. }));
    let refused: HashSet<usize> = refused.map(|one| one.literal).collect();
    if !refused.is_empty() {
        let pieces = extraction.pieces(&|one| one.sink.is_none(), &is_planned);
        parts.extend(pieces.into_iter().map(|(piece, _)| piece).filter(|piece| refused.contains(piece)));
    }
    let parts = statements.extract_if(.., |one| parts.contains(&one.literal));
    parts.map(|one| Passed { why: Why::Part, ..Passed::of(&one) }).collect()
}

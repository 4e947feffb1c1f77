//! Indexes with which another row would come first, where the program takes that row alone and no ORDER BY says which it is.
//! Knows what SQLite prints of a step, and no text of the program.

use super::{Doubtful, FixKind, Kind, Obstacle, Read};
use crate::{
    extract::names::Clause,
    schema::{StatementKind, tokens::Tokens},
};

/// What to do where no index may be advised.
const ADVICE: &str = "Say by ORDER BY which row is wanted, for with an index another one may come first";

/// Takes back the indexes that change which row comes first, where that row alone is taken.
pub(super) fn keep_first(one: &Doubtful<'_>, read: &Read, obstacles: &mut [Obstacle]) {
    let is_ordered = || read.conditions.iter().any(|one| one.clause == Clause::OrderBy);
    let is_select = one.explained.kind == StatementKind::Select;
    if !(one.takes_first && is_select && returns_columns(one.text)) || read.names.aggregate || is_ordered() {
        return;
    }
    for obstacle in obstacles {
        let step = one.explained.plan.steps.get(obstacle.step);
        let is_outermost = step.is_some_and(|step| step.parent.is_none());
        // Rows with one key stand in an index as they do in their table.
        let moves = |step: &str| step.starts_with("SCAN") || step.replace("<expr>", "").contains(['<', '>']);
        let fix = obstacle.fix.as_ref().filter(|fix| fix.kind == FixKind::Index);
        if is_outermost && fix.is_some_and(|fix| moves(&fix.step)) {
            obstacle.fix = None;
            obstacle.kind = Kind::First;
            obstacle.advice = Some(ADVICE.to_owned());
        }
    }
}

/// Whether a query returns something of its rows, and does not only ask whether there are any.
fn returns_columns(sql: &str) -> bool {
    let mut tokens = Tokens::from(sql, 0).skip_while(|token| !token.is("SELECT")).skip(1);
    let first = tokens.find(|token| !token.is("DISTINCT") && !token.is("ALL"));
    first
        .is_some_and(|first| !first.is("EXISTS") && !first.text.starts_with(|one: char| one.is_ascii_digit()))
}

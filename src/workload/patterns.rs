//! What the program is seen to bind: to a LIKE, a pattern that begins with a wildcard, of which no index knows the beginning; to an IN,
//! literals.

use super::Statement;
use crate::{
    extract::names::{Names, Predicate, Value},
    schema::tokens::{Kind, Token, Tokens},
};
use std::sync::Arc;

/// A parameter's place from 0, the name that it is bound to, and the pattern or literal.
type Bound = (u32, Option<String>, String);

/// The names of a statement, with the patterns and the literals that its parameters get. Of several statements in one text the call binds
/// the first.
pub(super) fn noted(
    names: Arc<Names>,
    statement: &Statement,
    patterns: &[Bound],
    literals: &[Bound],
) -> Arc<Names> {
    if patterns.is_empty() && literals.is_empty() || statement.ordinal > 0 {
        return names;
    }
    let text = statement.text.as_str();
    let parameters: Vec<Token<'_>> =
        Tokens::from(text, 0).filter(|token| token.kind == Kind::Parameter).collect();
    let bound = |one: &Predicate, all: &[Bound]| -> Vec<Option<String>> {
        let within = |(_, token): &(usize, &Token<'_>)| (one.start..one.end).contains(&token.start);
        let own = parameters.iter().enumerate().filter(within);
        own.map(|(at, token)| given(token.text, at as u32, all)).collect()
    };
    let found = names.predicates.iter().map(|one| {
        let is_bound = one.value == Value::Parameter;
        let is = |is: bool, all| if is && is_bound { bound(one, all) } else { Vec::new() };
        let sign = if one.operator.ends_with("GLOB") { "'*" } else { "'%" };
        let is_sought = one.operator.ends_with("LIKE") || one.operator.ends_with("GLOB");
        let pattern = is(is_sought, patterns).pop().flatten().filter(|text| text.starts_with(sign));
        (pattern, is(one.operator == "IN", literals).into_iter().flatten().collect())
    });
    let found: Vec<(Option<String>, Vec<String>)> = found.collect();
    if found.iter().all(|(pattern, literals)| pattern.is_none() && literals.is_empty()) {
        return names;
    }
    let mut noted = (*names).clone();
    for (one, (pattern, literals)) in noted.predicates.iter_mut().zip(found) {
        (one.pattern, one.literals) = (pattern, literals);
    }
    Arc::new(noted)
}

/// What a parameter gets, by its name or its place.
fn given(parameter: &str, at: u32, bound: &[Bound]) -> Option<String> {
    let number = parameter.strip_prefix('?').and_then(|number| number.parse().ok());
    let place = number.map_or(at, |number: u32| number.saturating_sub(1));
    let bare = parameter.trim_start_matches([':', '@', '$']);
    let is_meant = |(own, given, _): &&Bound| match given {
        Some(given) => given.trim_start_matches([':', '@', '$']) == bare,
        None => *own == place,
    };
    bound.iter().find(is_meant).map(|(.., text)| text.clone())
}

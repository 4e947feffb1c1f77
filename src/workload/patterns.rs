//! What the program is seen to bind to a LIKE: a pattern that begins with a wildcard, of which no index knows the beginning.

use super::Statement;
use crate::{
    extract::names::{Names, Predicate, Value},
    schema::tokens::{Kind, Token, Tokens},
};
use std::sync::Arc;

/// A parameter's place from 0, the name that it is bound to, and the pattern.
type Bound = (u32, Option<String>, String);

/// The names of a statement, with the patterns that its parameters get. Of several statements in one text the call binds the first.
pub(super) fn noted(names: Arc<Names>, statement: &Statement, bound: &[Bound]) -> Arc<Names> {
    if bound.is_empty() || statement.ordinal > 0 {
        return names;
    }
    let text = statement.text.as_str();
    let parameters: Vec<Token<'_>> =
        Tokens::from(text, 0).filter(|token| token.kind == Kind::Parameter).collect();
    let pattern = |one: &Predicate| {
        let is_like = one.operator.ends_with("LIKE") && one.value == Value::Parameter;
        let within = |token: &Token<'_>| (one.start..one.end).contains(&token.start);
        let at = parameters.iter().rposition(within).filter(|_| is_like)?;
        let name = parameters.get(at)?.text;
        let number = name.strip_prefix('?').and_then(|number| number.parse().ok());
        let place = number.map_or(at as u32, |number: u32| number.saturating_sub(1));
        let bare = name.trim_start_matches([':', '@', '$']);
        let is_meant = |(own, given, _): &&Bound| match given {
            Some(given) => given.trim_start_matches([':', '@', '$']) == bare,
            None => *own == place,
        };
        bound.iter().find(is_meant).map(|(.., pattern)| pattern.clone())
    };
    let found: Vec<Option<String>> = names.predicates.iter().map(pattern).collect();
    if found.iter().all(Option::is_none) {
        return names;
    }
    let mut noted = (*names).clone();
    for (one, pattern) in noted.predicates.iter_mut().zip(found) {
        one.pattern = pattern;
    }
    Arc::new(noted)
}

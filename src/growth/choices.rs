//! Parameters by whose value a statement chooses whether a subquery runs: in a condition of CASE or `iif()`, or before it in
//! `coalesce()`; and those that switch off a condition, as in `1 = ? OR …`. Knows no values but those that stand there.

use super::literals::{Literal, alone};
use super::tokens::{Kind, Token};
use std::collections::HashMap;

/// A CASE, or a call that chooses as one does.
struct Choice {
    /// The depth of the parentheses in which its parts stand.
    depth: usize,
    is_case: bool,
    /// What is read is a part that chooses, and not one that is chosen.
    is_condition: bool,
    /// It asks a subquery there: what stands in that is compared with columns.
    is_asked: bool,
    /// The parameters that choose, by their tokens.
    parameters: Vec<usize>,
    has_subquery: bool,
}

/// The tokens of parameters that choose, with the literal that each is compared with, where there is one.
pub(super) fn choosing(tokens: &[Token<'_>]) -> Vec<(usize, Option<Literal>)> {
    let mut open: Vec<Choice> = Vec::new();
    let (mut depth, mut found) = (0_usize, Vec::new());
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" => {
                depth += 1;
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                open.extend(before.filter(|name| chooses(name)).map(|_| Choice::new(depth, false)));
            }
            ")" => {
                let is_end = open.last().is_some_and(|one| !one.is_case && one.depth == depth);
                if is_end {
                    close(&mut open, &mut found);
                }
                depth = depth.saturating_sub(1);
            }
            _ if token.kind == Kind::Parameter => {
                if let Some(inner) = open.last_mut().filter(|one| one.is_condition && !one.is_asked) {
                    inner.parameters.push(index);
                }
            }
            _ if token.kind == Kind::Word || token.text == "," => {
                if token.is("CASE") {
                    open.push(Choice::new(depth, true));
                } else if token.is("END") && open.last().is_some_and(|one| one.is_case) {
                    close(&mut open, &mut found);
                } else if let Some(inner) = open.last_mut() {
                    inner.goes_on(token, depth);
                }
            }
            _ => {}
        }
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for token in tokens.iter().filter(|token| token.kind == Kind::Parameter) {
        *counts.entry(token.text).or_default() += 1;
    }
    let is_alone = |token: &Token<'_>| token.text == "?" || counts.get(token.text) == Some(&1);
    found.extend((0..tokens.len()).filter(|&index| switches(tokens, index, is_alone)));
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|index| (index, compared(tokens, index))).collect()
}

fn chooses(name: &Token<'_>) -> bool {
    ["iif", "coalesce", "ifnull"].iter().any(|word| name.is(word))
}

/// Ends the innermost choice; what it holds, those around it hold as well.
fn close(open: &mut Vec<Choice>, found: &mut Vec<usize>) {
    if let Some(inner) = open.pop().filter(|one| one.has_subquery) {
        found.extend(inner.parameters);
        if let Some(outer) = open.last_mut() {
            outer.has_subquery = true;
        }
    }
}

impl Choice {
    const fn new(depth: usize, is_case: bool) -> Self {
        Self {
            depth,
            is_case,
            is_condition: true,
            is_asked: false,
            parameters: Vec::new(),
            has_subquery: false,
        }
    }

    fn goes_on(&mut self, token: &Token<'_>, depth: usize) {
        if token.is("SELECT") {
            self.has_subquery = true;
            self.is_asked |= self.is_condition;
        } else if self.is_case && token.is("WHEN") {
            (self.is_condition, self.is_asked) = (true, false);
        } else if self.is_case && (token.is("THEN") || token.is("ELSE"))
            || !self.is_case && token.is(",") && depth == self.depth
        {
            self.is_condition = false;
        }
    }
}

/// Whether a token is a parameter of which a literal beside `OR` is all that is asked.
fn switches(tokens: &[Token<'_>], index: usize, is_alone: impl Fn(&Token<'_>) -> bool) -> bool {
    let Some(own) = tokens.get(index).filter(|token| token.kind == Kind::Parameter) else { return false };
    let is_or = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(|token| token.is("OR"));
    let beside = is_or(Some(index + 1)) || is_or(index.checked_sub(1));
    let beyond = is_or(Some(index + 3)) || is_or(index.checked_sub(3));
    (beside || beyond) && is_alone(own) && compared(tokens, index).is_some()
}

/// The literal that a parameter is compared with.
fn compared(tokens: &[Token<'_>], index: usize) -> Option<Literal> {
    const SIGNS: [&str; 6] = ["=", "==", "IS", "<>", "!=", "WHEN"];
    let is_sign = |at: usize| tokens.get(at).is_some_and(|one| SIGNS.iter().any(|sign| one.is(sign)));
    let literal = |at: usize| alone(tokens.get(at..=at)?).filter(|one| *one != Literal::Null);
    let behind = literal(index + 2).filter(|_| is_sign(index + 1));
    behind.or_else(|| literal(index.checked_sub(2)?).filter(|_| is_sign(index - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::tokens::tokens;

    fn choosing_in(text: &str) -> Vec<(String, Option<String>)> {
        let tokens = tokens(text);
        let name = |index: usize| tokens.get(index).map_or(String::new(), |token| token.text.to_owned());
        choosing(&tokens).into_iter().map(|(at, one)| (name(at), one.map(|one| one.sql()))).collect()
    }

    #[test]
    fn a_parameter_chooses_where_a_subquery_hangs_on_it() {
        let own = |name: &str, literal: Option<&str>| (name.to_owned(), literal.map(str::to_owned));
        let case = "SELECT CASE WHEN length(?1) > 0 THEN (SELECT a FROM t WHERE b = ?1) ELSE ?2 END";
        assert_eq!(choosing_in(case), [own("?1", None)]);
        let kinds = "SELECT CASE :kind WHEN 'all' THEN 1 ELSE (SELECT a FROM t WHERE b = :b) END";
        assert_eq!(choosing_in(kinds), [own(":kind", Some("'all'"))]);
        let call = "SELECT iif(?1 = 0, 1, (SELECT a FROM t)), coalesce(?2, (SELECT b FROM t WHERE c = ?3))";
        assert_eq!(choosing_in(call), [own("?1", Some("0")), own("?2", None)]);
    }

    #[test]
    fn a_parameter_chooses_where_a_literal_switches_a_condition_off() {
        let own = |name: &str, literal: &str| (name.to_owned(), Some(literal.to_owned()));
        let both = "SELECT a FROM t WHERE (1 = ?1 OR b = ?2) AND (c = ?4 OR ?3 = 'any')";
        assert_eq!(choosing_in(both), [own("?1", "1"), own("?3", "'any'")]);
        assert!(choosing_in("SELECT a FROM t WHERE 1 = ?1 AND (b = ?2 OR c = 1)").is_empty());
        assert!(choosing_in("SELECT a FROM t WHERE ?1 = 'any' OR b = ?1").is_empty());
    }

    #[test]
    fn a_parameter_beside_no_subquery_or_in_one_chooses_nothing() {
        assert!(choosing_in("SELECT a FROM t ORDER BY CASE WHEN ?1 THEN b ELSE c END").is_empty());
        assert!(choosing_in("SELECT a FROM t WHERE b = coalesce(?1, b) LIMIT iif(?2, 1, 2)").is_empty());
        assert!(choosing_in("SELECT CASE WHEN EXISTS (SELECT a FROM t WHERE b = ?1) THEN 1 END").is_empty());
        assert!(choosing_in("SELECT (((CASE WHEN ?1 THEN").is_empty());
    }
}

//! What each parameter of a statement stands for: the column that it is compared with or stored in, or a number of
//! rows. Knows no values.

use super::choices::choosing;
use super::literals::Literal;
use super::stored::lists;
use super::tokens::{Kind, Token, tokens};
use super::uses::{At, Catalog, Op, operator};
use crate::{
    extract::names::{Clause, Names, Predicate, Value},
    schema::{Explained, StatementKind},
    workload::Statement,
};
use std::collections::BTreeMap;

/// What a parameter stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A value that a column is compared with, and its place in a list of such values.
    Compared(At, Op, usize),
    /// A value that an UPDATE stores in a column.
    Set(At),
    /// A value of a new row.
    Inserted(At),
    /// A number of rows to return.
    Limit,
    /// A number of rows to pass over.
    Offset,
    /// Something else.
    Unknown,
}

/// The parameters by which a statement chooses what it runs, by their order, with what each is compared with for that.
pub(super) type Choices = BTreeMap<usize, Option<Literal>>;

/// What the parameters of a statement stand for, in SQLite's order, and those by which it chooses.
pub(super) fn targets(
    catalog: &Catalog<'_>,
    statement: &Statement,
    explained: &Explained,
    names: Option<&Names>,
    predicates: &[(At, Predicate, Option<At>)],
) -> (Vec<Target>, Choices) {
    let mut targets = vec![Target::Unknown; explained.parameters.len()];
    let mut choices = Choices::new();
    if targets.is_empty() {
        return (targets, choices);
    }
    let text = statement.text.as_str();
    let tokens = tokens(text);
    let inserted = inserted(catalog, explained, &tokens);
    let choosing = choosing(&tokens);
    let words = Words { catalog, explained, names, tokens: &tokens };
    let mut last = 0;
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Parameter) {
        let number = number(token, explained, last);
        last = last.max(number);
        let Some(place) = number.checked_sub(1) else { continue };
        let chosen = choosing.binary_search_by_key(&index, |(at, _)| *at).ok();
        if let Some((_, literal)) = chosen.and_then(|at| choosing.get(at)) {
            let known = choices.entry(place).or_default();
            *known = known.take().or_else(|| literal.clone());
        }
        let Some(target) = targets.get_mut(place) else { continue };
        if !matches!(target, Target::Compared(..)) {
            let found = rows(&tokens, index)
                .or_else(|| inserted.iter().find(|(at, _)| *at == index).map(|(_, at)| Target::Inserted(*at)))
                .or_else(|| by_predicate(token, &tokens, predicates))
                .or_else(|| words.nearest(index));
            // What a parameter is compared with says more than what it is stored in.
            if *target == Target::Unknown || matches!(found, Some(Target::Compared(..))) {
                *target = found.unwrap_or(Target::Unknown);
            }
        }
    }
    (targets, choices)
}

/// The number that SQLite gives a parameter.
fn number(token: &Token<'_>, explained: &Explained, last: usize) -> usize {
    match token.text.strip_prefix('?') {
        Some("") => last + 1,
        Some(digits) => digits.parse().unwrap_or(0),
        None => {
            let named = explained.parameters.iter().position(|name| name.as_deref() == Some(token.text));
            named.map_or(0, |index| index + 1)
        }
    }
}

/// LIMIT and OFFSET: a parameter anywhere in what follows them, such as in `LIMIT coalesce(?, 100)`.
fn rows(tokens: &[Token<'_>], index: usize) -> Option<Target> {
    const OTHERS: [&str; 8] = ["SELECT", "FROM", "WHERE", "BY", "SET", "VALUES", "RETURNING", "HAVING"];
    let (mut depth, mut is_second) = (0_i32, false);
    for token in tokens.iter().take(index).rev() {
        match token.text {
            ")" => depth += 1,
            // Beyond it stands what this is an argument of.
            "(" if depth == 0 => is_second = false,
            "(" => depth -= 1,
            _ if depth > 0 => {}
            "," => is_second = true,
            ";" => return None,
            _ if OTHERS.iter().any(|word| token.is(word)) => return None,
            _ if token.is("OFFSET") => return Some(Target::Offset),
            _ if token.is("LIMIT") => {
                let is_first = !is_second && tokens.get(index + 1).is_some_and(|next| next.is(","));
                let is_offset =
                    is_first && tokens.get(index.wrapping_sub(1)).is_some_and(|one| one.is("LIMIT"));
                return Some(if is_offset { Target::Offset } else { Target::Limit });
            }
            _ => {}
        }
    }
    None
}

/// The columns of `INSERT INTO t (a, b) VALUES (?, ?)`, by the token that stands for each.
fn inserted(catalog: &Catalog<'_>, explained: &Explained, tokens: &[Token<'_>]) -> Vec<(usize, At)> {
    if !matches!(explained.kind, StatementKind::Insert | StatementKind::Replace) {
        return Vec::new();
    }
    let is_parameter = |index: &usize| tokens.get(*index).is_some_and(|one| one.kind == Kind::Parameter);
    let values = lists(catalog, tokens).into_iter().flat_map(|lists| lists.values);
    values.flat_map(|(at, range)| range.filter(is_parameter).map(move |index| (index, at))).collect()
}

/// By the condition around it: the innermost one. Where several columns are compared with as many parameters, each
/// has its own.
fn by_predicate(
    token: &Token<'_>,
    tokens: &[Token<'_>],
    predicates: &[(At, Predicate, Option<At>)],
) -> Option<Target> {
    let around = |one: &Predicate| one.start <= token.start && token.start < one.end;
    let fits = |one: &Predicate| !matches!(one.value, Value::Nothing | Value::Column { .. });
    let all = || predicates.iter().filter(|(_, one, _)| around(one) && fits(one));
    let innermost = all().map(|(_, one, _)| one.end - one.start).min()?;
    let same: Vec<_> = all().filter(|(_, one, _)| one.end - one.start == innermost).collect();
    let first = same.first()?;
    let inside = tokens.iter().filter(|other| other.kind == Kind::Parameter && around_token(&first.1, other));
    let starts: Vec<usize> = inside.map(|other| other.start).collect();
    let place = starts.iter().position(|start| *start == token.start)?;
    let (own, place) =
        if same.len() > 1 && same.len() == starts.len() { (same.get(place)?, 0) } else { (first, place) };
    let (at, predicate, _) = own;
    Some(match predicate.clause {
        Clause::Set => Target::Set(*at),
        _ => Target::Compared(*at, operator(&predicate.operator).unwrap_or(Op::Equal), place),
    })
}

fn around_token(predicate: &Predicate, token: &Token<'_>) -> bool {
    predicate.start <= token.start && token.start < predicate.end
}

/// The words around a parameter, where no condition is known.
struct Words<'a> {
    catalog: &'a Catalog<'a>,
    explained: &'a Explained,
    names: Option<&'a Names>,
    tokens: &'a [Token<'a>],
}

impl Words<'_> {
    /// The nearest column to the left, else to the right, of the same condition.
    fn nearest(&self, index: usize) -> Option<Target> {
        let ends = |token: &&Token<'_>| !(token.is("AND") || token.is("WHERE") || token.is("OR"));
        let left = self.tokens.iter().take(index).rev().take_while(ends);
        let right = self.tokens.iter().skip(index + 1).take_while(ends);
        let mut sign = None;
        for token in left {
            sign = operator(token.text).or(sign);
            if let Some(at) = self.column(token) {
                return Some(Target::Compared(at, sign.unwrap_or(Op::Equal), 0));
            }
        }
        let mut sign = None;
        for (between, token) in right.enumerate() {
            sign = sign.or(operator(token.text));
            if let Some(at) = self.column(token) {
                let mirrored = match sign {
                    Some(Op::Upper) => Op::Lower,
                    // The value lies above the first column and below the second: either would do.
                    Some(Op::Lower | Op::Between) => Op::Upper,
                    other => other.unwrap_or(Op::Equal),
                };
                return Some(Target::Compared(at, mirrored, between));
            }
        }
        None
    }

    fn column(&self, token: &Token<'_>) -> Option<At> {
        let is_name = token.kind == Kind::Word && operator(token.text).is_none();
        is_name
            .then(|| self.catalog.resolve(self.names, Some(self.explained), None, &token.plain()))
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row_targets(text: &str) -> Vec<Option<Target>> {
        let tokens = tokens(text);
        let parameters = tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Parameter);
        parameters.map(|(index, _)| rows(&tokens, index)).collect()
    }

    #[test]
    fn a_parameter_in_an_expression_behind_limit_is_a_number_of_rows() {
        let (limit, offset) = (Some(Target::Limit), Some(Target::Offset));
        assert_eq!(row_targets("SELECT a FROM t LIMIT coalesce(?1, 100) OFFSET ?2"), [limit, offset]);
        assert_eq!(row_targets("SELECT a FROM t WHERE b = ? LIMIT ?, ?"), [None, offset, limit]);
        assert_eq!(row_targets("SELECT a FROM t LIMIT CASE WHEN ?1 > 0 THEN ?1 ELSE -1 END"), [limit, limit]);
        assert_eq!(row_targets("SELECT a IN (SELECT b FROM u LIMIT 3) = ? FROM t"), [None]);
        assert_eq!(row_targets("SELECT a FROM t WHERE b IN (SELECT b FROM u LIMIT 3) AND c = ?"), [None]);
    }
}

//! Texts that are handed to a function which puts more behind them: `addOrder(sql)` of `void addOrder(QString& sql)`, `add_order(&mut
//! sql)`. An `impl` of [`Folder`], apart for its length. Knows no function that is declared in another file to take a reference.

use super::{
    Folder, MAX_DEPTH, Spot,
    deeds::{Deed, Does},
};
use crate::extract::{code::Code, lexer::Kind, text::Text};
use rustc_hash::FxHashMap as HashMap;

/// The functions of a file that take a text by reference, where a call does not show that: the places of these parameters.
#[derive(Default)]
pub(super) struct Writers<'a>(HashMap<&'a str, Vec<usize>>);

impl<'a> Writers<'a> {
    /// Reads them from the tokens of a file: `void add(QString& sql, …)`.
    pub(super) fn of(code: Code<'a>) -> Self {
        let mut found: HashMap<&str, Vec<usize>> = HashMap::default();
        let language = code.language();
        if !(language.streams && language.typed) {
            return Self::default();
        }
        let is_text = |at: usize| code.is_word(at) && code.word(at).to_ascii_lowercase().ends_with("string");
        for (sign, _) in code.tokens().iter().enumerate().filter(|(_, token)| token.is(b'&')) {
            let ends = code.is(sign + 2, b',') || code.is(sign + 2, b')');
            if !ends || !code.is_word(sign + 1) || !sign.checked_sub(1).is_some_and(is_text) {
                continue;
            }
            if let Some((name, place, start)) = argument(code, sign)
                && !(start..sign).any(|at| code.word(at) == "const")
            {
                found.entry(name).or_default().push(place);
            }
        }
        Self(found)
    }

    /// Whether the name at a token is handed to one of them by such a parameter.
    pub(super) fn take(&self, code: Code<'_>, at: usize) -> bool {
        let begins = |before: usize| code.is(before, b'(') || code.is(before, b',');
        !self.0.is_empty()
            && at.checked_sub(1).is_some_and(begins)
            && argument(code, at)
                .is_some_and(|(name, place, _)| self.0.get(name).is_some_and(|own| own.contains(&place)))
    }
}

/// The name in front of the parentheses around a token, and the place there and the start of what the token is a part of.
fn argument(code: Code<'_>, at: usize) -> Option<(&str, usize, usize)> {
    let open = code.around(at).next().filter(|&open| code.is(open, b'('))?;
    let name = open.checked_sub(1).filter(|&name| code.is_word(name))?;
    let (arguments, _) = code.arguments(open);
    let place = arguments.iter().position(|&(start, end)| (start..end).contains(&at))?;
    Some((code.word(name), place, arguments.get(place)?.0))
}

impl Folder<'_> {
    /// The texts that the function called at a token puts behind the name that it is handed at another; `None` where it may do
    /// something else to that. What only reads the name puts nothing there.
    pub(super) fn put_by(&self, spot: Spot, callee: usize, at: usize) -> Option<Vec<Text>> {
        if spot.depth + 2 > MAX_DEPTH {
            return None;
        }
        let ((unit, index), function) = self.called(spot, callee, self.word(spot, callee))?;
        let (arguments, _) = self.arguments(spot, callee + 1);
        let place = arguments.iter().position(|&(start, end)| (start..end).contains(&at))?;
        let inner = Spot { pieces: spot.pieces, depth: spot.depth + 2, ..Spot::at(unit, index) };
        let (parameters, receivers) = self.parameters_of(inner, function)?;
        let &(start, end) = parameters.get(place + receivers)?;
        let names = (start..end).map(|at| self.word(inner, at));
        let name = names.into_iter().find(|name| self.parameter(inner, function, name) == Some(place))?;
        let (from, end) = (self.body_of(inner)?, function.end as usize);
        let own = self.deeds_of(inner, name, from, end);
        let appends = |deed: &Deed| matches!(deed.does, Does::Appends | Does::Writes);
        let is_read = |at: usize| own.iter().any(|deed| deed.name as usize == at);
        let is_own = |&at: &usize| self.kind(inner, at) == Some(Kind::Word) && self.word(inner, at) == name;
        // What is only read there stays as it is.
        if own.is_empty() {
            return Some(vec![Text::default()]);
        }
        if !own.iter().all(appends) || !(from..end).filter(is_own).all(is_read) {
            return None;
        }
        let texts = self.put_behind(inner, name, own, end)?;
        Some(self.with_arguments((inner, function), texts, &|place| {
            let &(start, _) = arguments.get(place)?;
            Some(self.chain(spot.whole().deeper(), start).0)
        }))
    }
}

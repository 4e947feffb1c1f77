//! Texts that a program's own macros make, as Rust declares them: `macro_rules! newest { ($ship:expr) => { concat!(…, $ship, …) } }`.
//! An `impl` of [`Folder`], apart for its length.

use super::{Folder, MAX_DEPTH, Spot, values::put_in};
use crate::extract::{sketch::NOWHERE, text::Text};

/// How many ways to call it are looked at of one macro.
const MAX_WAYS: usize = 8;

impl Folder<'_> {
    /// The text that the macro at a token makes of what its bracket holds, by the first of its ways that takes as much, where the
    /// file declares it.
    pub(super) fn expanded(&self, spot: Spot, name: usize, open: usize) -> Option<Vec<Text>> {
        if spot.depth >= MAX_DEPTH {
            return None;
        }
        let (arguments, _) = self.arguments(spot, open);
        let (parameters, body) = self
            .ways(spot, self.declared(spot, name)?)
            .find(|(parameters, _)| parameters.len() == arguments.len())?;
        let inner = Spot { depth: spot.depth + 1, ..Spot::at(spot.unit, NOWHERE) };
        let mut texts = self.chain(inner, body + 1).0;
        for (parameter, (start, _)) in parameters.into_iter().zip(arguments) {
            let values = self.chain(spot.whole().deeper(), start).0;
            texts = put_in(&texts, self.word(spot, parameter), &values);
        }
        Some(texts)
    }

    /// The bracket of what a macro is declared as, last in front of a token.
    fn declared(&self, spot: Spot, at: usize) -> Option<usize> {
        let unit = self.units.get(spot.unit)?;
        let end = unit.tokens.get(at)?.start as usize;
        let before = unit.text(self.sources).get(..end)?;
        let name = self.word(spot, at);
        before.rmatch_indices(&format!("macro_rules! {name}")).find_map(|(start, _)| {
            let at = unit.tokens.partition_point(|token| (token.start as usize) < start);
            (self.word(spot, at + 2) == name && self.opens(spot, at + 3)).then_some(at + 3)
        })
    }

    /// What each way to call a macro takes, and the bracket of what it makes: `($ship:expr, $n:literal) => { … };`
    fn ways(&self, spot: Spot, declared: usize) -> impl Iterator<Item = (Vec<usize>, usize)> {
        let end = self.matching(spot, declared);
        let mut at = declared + 1;
        std::iter::from_fn(move || {
            let close = self.matching(spot, at);
            let body = close + 3;
            if at >= end || !self.opens(spot, at) || !self.opens(spot, body) {
                return None;
            }
            // What is repeated is not followed.
            let repeats = |one: usize| self.is(spot, one, b'$') && self.is(spot, one + 1, b'(');
            if (at..self.matching(spot, body)).any(repeats) {
                return None;
            }
            let is_parameter = |&one: &usize| self.is(spot, one - 1, b'$') && self.is(spot, one + 1, b':');
            let parameters = (at + 2..close).filter(is_parameter).collect();
            at = self.matching(spot, body) + 1;
            at += usize::from(self.is(spot, at, b';'));
            Some((parameters, body))
        })
        .take(MAX_WAYS)
    }
}

//! What a condition around says of a name: where it is asked whether there is one, it is not empty; where it is held against a
//! list of texts, it is one of them. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot, distinct};
use crate::extract::{
    lexer::Kind,
    text::{Pieces, Text},
};
use std::ops::Range;

impl Folder<'_> {
    /// The values of a name that the conditions around a token leave it.
    pub(super) fn narrowed(&self, spot: Spot, name: &str, at: usize, values: Vec<Text>) -> Vec<Text> {
        // Nothing else is asked so often, and most values are not empty.
        if !values.iter().any(|text| text.as_str().is_empty()) {
            return values;
        }
        self.left_by_conditions(spot, name, at, &values).unwrap_or(values)
    }

    /// Whether a condition holds: for the call that a spot is seen from, or as one choice alone leaves it, where an `if` before
    /// asks the same.
    pub(super) fn chosen(&self, spot: Spot, condition: Range<usize>) -> Option<bool> {
        let Pieces::Of((file, choice)) = spot.pieces else { return self.holds(spot, condition) };
        self.asked_before(spot, &condition).map_or_else(
            || self.holds(spot, condition),
            |asked| Some(file == spot.unit && choice as usize == asked),
        )
    }

    /// The last `if` of the function before a condition that asks the same.
    fn asked_before(&self, spot: Spot, condition: &Range<usize>) -> Option<usize> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let own = |at: usize| {
            condition
                .clone()
                .map(move |one| self.word(spot, one))
                .eq((at..at + condition.len()).map(|one| self.word(spot, one)))
        };
        let asks = |at: &usize| {
            let start = at + 1 + usize::from(self.is(spot, at + 1, b'('));
            let end = start + condition.len();
            let ends = b"){:".iter().any(|&sign| self.is(spot, end, sign));
            self.word(spot, *at) == "if" && ends && own(start)
        };
        (function.name as usize..condition.start).rev().find(asks)
    }

    fn left_by_conditions(&self, spot: Spot, name: &str, at: usize, values: &[Text]) -> Option<Vec<Text>> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let code = self.code(spot)?;
        for level in self.levels(spot, function.name as usize, at)? {
            let Some(condition) = code.condition(level) else { continue };
            let either = |at: usize| code.word(at) == "or" || code.is(at, b'|');
            let asked =
                || condition.clone().find(|&at| code.word(at) == name && self.is_asked(spot, at, &condition));
            if condition.clone().any(either) {
                continue;
            }
            let Some(asked) = asked() else { continue };
            if code.word(asked + 1) == "in" {
                return self.listed(spot, asked + 2);
            }
            let kept = values.iter().filter(|text| !text.as_str().is_empty());
            return Some(kept.cloned().collect());
        }
        None
    }

    /// Whether the name at a token is a condition by itself, or held against a list.
    fn is_asked(&self, spot: Spot, at: usize, condition: &Range<usize>) -> bool {
        let begins = at == condition.start
            || at.checked_sub(1).is_some_and(|before| {
                self.is(spot, before, b'(')
                    || self.is(spot, before, b'&')
                    || self.word(spot, before) == "and"
                    || (self.is(spot, before, b'$') && !self.is(spot, before.saturating_sub(1), b'!'))
            });
        let behind = at + 1;
        let ends = behind >= condition.end
            || self.is(spot, behind, b')')
            || self.is(spot, behind, b'&')
            || self.is(spot, behind, b':')
            || matches!(self.word(spot, behind), "and" | "in");
        begins && ends
    }

    /// The texts of a list that is written out.
    fn listed(&self, spot: Spot, open: usize) -> Option<Vec<Text>> {
        if !self.opens(spot, open) {
            return None;
        }
        let (elements, _) = self.code(spot)?.arguments(open);
        let is_text =
            |&(start, end): &(usize, usize)| self.kind(spot, start) == Some(Kind::Text) && end == start + 1;
        if elements.is_empty() || !elements.iter().all(is_text) {
            return None;
        }
        let mut texts = elements.iter().flat_map(|&(start, _)| self.chain(spot, start).0).collect();
        distinct(&mut texts);
        Some(texts)
    }
}

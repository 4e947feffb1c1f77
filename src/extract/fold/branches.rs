//! Branches: each arm that makes text is a variant. An `impl` of [`Folder`], apart for its length.

use super::{Folded, Folder, MAX_VARIANTS, Spot, is_only_hole};
use crate::extract::text::Text;

impl Folder<'_> {
    /// `if a { "x" } else { "y" }`.
    pub(super) fn if_expression(&self, spot: Spot, at: usize) -> Folded {
        let mut values = Vec::new();
        let mut next = at;
        let mut is_decided = false;
        loop {
            let Some(open) = self.find_brace(spot, next) else { return self.unknown(spot, at) };
            let is_asked = self.word(spot, next) == "if";
            let holds = if is_asked { self.holds(spot, next + 1..open) } else { Some(true) };
            if !is_decided && holds != Some(false) {
                values.extend(self.block(spot, open));
            }
            is_decided |= holds == Some(true);
            next = self.matching(spot, open) + 1;
            if self.word(spot, next) != "else" {
                break;
            }
            next += 1;
        }
        self.known(spot, at, values, next)
    }

    /// `if (a) "x" else "y"`, also with braces around one value.
    pub(super) fn if_value(&self, spot: Spot, at: usize) -> Folded {
        let mut values = Vec::new();
        let mut next = at;
        let mut is_decided = false;
        loop {
            let is_choice = self.word(spot, next) == "if" && self.is(spot, next + 1, b'(');
            let start = if is_choice { self.matching(spot, next + 1) + 1 } else { next };
            let holds = if is_choice { self.holds(spot, next + 1..start) } else { Some(true) };
            let value;
            if self.is(spot, start, b'{') {
                let (arm, behind) = self.arm(spot, start + 1);
                next = self.matching(spot, start) + 1;
                value = if behind + 1 == next { arm } else { Vec::new() };
            } else {
                (value, next) = self.arm(spot, start);
            }
            if !is_decided && holds != Some(false) {
                values.extend(value);
            }
            is_decided |= holds == Some(true);
            if self.word(spot, next) != "else" {
                break;
            }
            next += 1;
        }
        leave_unknown_out(&mut values, true);
        if values.is_empty() {
            values.push(self.hole(spot, at, self.word(spot, at), false));
        }
        (values, next)
    }

    /// The value of an arm of a choice. `null` is no text, as libraries take it.
    pub(super) fn arm(&self, spot: Spot, at: usize) -> Folded {
        if self.word(spot, at) == "null" { (vec![Text::default()], at + 1) } else { self.chain(spot, at) }
    }

    /// `match a { b => "x", _ => "y" }`.
    pub(super) fn match_expression(&self, spot: Spot, at: usize) -> Folded {
        let Some(open) = self.find_brace(spot, at) else { return self.unknown(spot, at) };
        let close = self.matching(spot, open);
        let mut values = Vec::new();
        let mut arm = open + 1;
        while arm < close {
            if self.is(spot, arm, b'=') && self.is(spot, arm + 1, b'>') {
                let block = self.is(spot, arm + 2, b'{');
                let value = if block { self.block(spot, arm + 2) } else { self.chain(spot, arm + 2).0 };
                values.extend(value);
                arm += 2;
            }
            arm = if self.opens(spot, arm) { self.matching(spot, arm) + 1 } else { arm + 1 };
        }
        self.known(spot, at, values, close + 1)
    }

    /// The values that are known, or a hole where none is.
    fn known(&self, spot: Spot, at: usize, mut values: Vec<Text>, next: usize) -> Folded {
        values.retain(|text| !is_only_hole(text));
        values.truncate(MAX_VARIANTS);
        if values.is_empty() {
            values.push(self.hole(spot, at, self.word(spot, at), false));
        }
        (values, next)
    }

    fn find_brace(&self, spot: Spot, from: usize) -> Option<usize> {
        let mut at = from;
        while at < from + 200 {
            if self.is(spot, at, b'{') {
                return Some(at);
            }
            if self.is(spot, at, b';') || self.kind(spot, at).is_none() {
                return None;
            }
            at = if self.opens(spot, at) { self.matching(spot, at) + 1 } else { at + 1 };
        }
        None
    }

    /// The value of a block: its last expression.
    pub(super) fn block(&self, spot: Spot, open: usize) -> Vec<Text> {
        let close = self.matching(spot, open);
        let mut last = open + 1;
        let mut at = last;
        while at < close {
            if self.is(spot, at, b';') {
                last = at + 1;
            }
            at = if self.opens(spot, at) { self.matching(spot, at) + 1 } else { at + 1 };
        }
        if last < close { self.chain(spot, last).0 } else { Vec::new() }
    }
}

/// Leaves out the values of which nothing is known, where others say something: more than that there may be none.
pub(super) fn leave_unknown_out(values: &mut Vec<Text>, may_be_null: bool) {
    let says_nothing = |text: &Text| is_only_hole(text) || (may_be_null && text.as_str().is_empty());
    if !values.iter().all(says_nothing) {
        values.retain(|text| !is_only_hole(text));
    }
    values.truncate(MAX_VARIANTS);
}

//! Choices that are written `condition ? a : b`: each arm is a variant. An `impl` of [`Folder`], apart for its length.

use super::{Folded, Folder, MAX_DEPTH, Spot, branches::leave_unknown_out};
use crate::extract::lexer::Kind;

/// The longest condition that is read, in tokens.
const LONGEST: usize = 48;

impl Folder<'_> {
    /// The values of a choice that starts at a token, and the token behind it; `None` where none starts there.
    pub(super) fn ternary(&self, spot: Spot, at: usize) -> Option<Folded> {
        let language = self.language(spot).filter(|language| language.ternary)?;
        // A text is no condition, and nothing is longer in most files.
        if self.kind(spot, at) == Some(Kind::Text) || spot.depth > MAX_DEPTH {
            return None;
        }
        let ask = self.question(spot, at, language.joins)?;
        let inner = spot.deeper();
        let (mut values, colon) = self.arm(inner, ask + 1);
        if !self.is(spot, colon, b':') {
            return None;
        }
        let (other, next) = self.arm(inner, colon + 1);
        values.extend(other);
        let may_be_null = [ask, colon].iter().any(|&sign| self.word(spot, sign + 1) == "null");
        leave_unknown_out(&mut values, may_be_null);
        Some((values, next))
    }

    /// The `?` behind the condition that starts at a token.
    fn question(&self, spot: Spot, from: usize, joins: u8) -> Option<usize> {
        let mut at = from;
        while at < from + LONGEST {
            let is = |byte: u8| self.is(spot, at, byte);
            if is(b'?') {
                let joined = self.is(spot, at + 1, b'.') || self.is(spot, at + 1, b'?');
                if !joined {
                    return Some(at);
                }
                at += 1;
            } else if is(b',') || is(b';') || is(b':') || (is(joins) && joins == b'+') {
                return None;
            } else if self.opens(spot, at) {
                at = self.matching(spot, at);
            } else if self.code(spot)?.closes(at) {
                return None;
            }
            self.kind(spot, at)?;
            at += 1;
        }
        None
    }

    /// Whether `->` stands at a token, in front of a name.
    pub(super) fn is_arrow(&self, spot: Spot, at: usize) -> bool {
        let points = self.language(spot).is_some_and(|language| language.joins == b'.' || language.streams);
        points
            && self.is(spot, at, b'-')
            && self.is(spot, at + 1, b'>')
            && self.kind(spot, at + 2) == Some(Kind::Word)
    }

    /// Whether a dot in front of a member stands at a token, and not one that puts texts together, or the end of an arrow.
    pub(super) fn is_dot(&self, spot: Spot, at: usize) -> bool {
        let is_dot =
            self.is(spot, at, b'.') && self.language(spot).is_some_and(|language| language.joins != b'.');
        is_dot || at.checked_sub(1).is_some_and(|before| self.is_arrow(spot, before))
    }
}

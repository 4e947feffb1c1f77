//! Choices that are written `condition ? a : b`: each arm is a variant. An `impl` of [`Folder`], apart for its length.

use super::{Folded, Folder, MAX_DEPTH, MAX_VARIANTS, Spot, branches::leave_unknown_out, builders::beside};
use crate::extract::{lexer::Kind, text::Text};

/// The longest condition that is read, in tokens.
pub(super) const LONGEST: usize = 48;

impl Folder<'_> {
    /// The values of a choice that starts at a token, and the token behind it; `None` where none starts there.
    pub(super) fn ternary(&self, spot: Spot, at: usize) -> Option<Folded> {
        let language = self.language(spot).filter(|language| language.ternary)?;
        // A text is no condition, and nothing is longer in most files.
        if (self.kind(spot, at) == Some(Kind::Text) && !self.is_held_against(spot, at))
            || spot.depth > MAX_DEPTH
        {
            return None;
        }
        let ask = self.question(spot, at, language.joins)?;
        let inner = spot.deeper();
        let (mut values, colon) = self.arm(inner, ask + 1);
        if !self.is(spot, colon, b':') {
            return None;
        }
        let (other, next) = self.arm(inner, colon + 1);
        match self.chosen(spot, at..ask) {
            Some(true) => {}
            Some(false) => values = other,
            None => values.extend(other),
        }
        let may_be_null = [ask, colon].iter().any(|&sign| self.word(spot, sign + 1) == "null");
        leave_unknown_out(&mut values, may_be_null);
        Some((values, next))
    }

    /// What is chosen between a value and another, where `if condition else other` stands behind it.
    pub(super) fn chosen_behind(&self, spot: Spot, value: &[Text], at: usize) -> Option<Folded> {
        let other = self.find_word(spot, at, "else")?;
        let (right, behind) = self.chain(spot.deeper(), other + 1);
        let mut values = match self.chosen(spot, at + 1..other) {
            Some(true) => value.to_vec(),
            Some(false) => right,
            None => [value, &right].concat(),
        };
        values.truncate(MAX_VARIANTS);
        Some((values, behind))
    }

    /// Whether the text at a token is held against another, and so begins a condition: `"".equals(name)`, `"" == name`.
    fn is_held_against(&self, spot: Spot, at: usize) -> bool {
        let is = |at: usize, sign: u8| self.is(spot, at, sign);
        let is_asked = self.is_dot(spot, at + 1) && is(at + 3, b'(');
        is_asked || (is(at + 2, b'=') && (is(at + 1, b'=') || is(at + 1, b'!')))
    }

    /// Whether a value, or what a name in its place was given, may be none at all: `null`, `condition ? "…" : null`.
    pub fn may_be_nothing(&self, spot: Spot, (start, end): (usize, usize)) -> bool {
        let is_name = end == start + 1 && self.kind(spot, start) == Some(Kind::Word);
        self.says_nothing(spot, (start, end))
            || (is_name && self.was_given_nothing(spot, start).unwrap_or(false))
    }

    /// Whether the name at a token was given nothing that may still be its value there.
    fn was_given_nothing(&self, spot: Spot, at: usize) -> Option<bool> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let floor = function.name as usize;
        let own = self.deeds_of(spot, self.word(spot, at), floor, at);
        let around = self.levels(spot, floor, at)?;
        for deed in own.iter().rev() {
            let Some(levels) = beside(self.levels(spot, floor, deed.at as usize)?, &around) else { continue };
            let value = deed.value as usize;
            if self.says_nothing(spot, (value, self.chain(spot.deeper(), value).1.max(value + 1))) {
                return Some(true);
            }
            // What is given in any case is all that it can be.
            if levels.first().is_none_or(|level| level.complete) {
                break;
            }
        }
        Some(false)
    }

    fn says_nothing(&self, spot: Spot, (start, end): (usize, usize)) -> bool {
        let begins = |at: usize| {
            let before = at.checked_sub(1).filter(|_| at > start);
            before.is_none_or(|before| self.is(spot, before, b'?') || self.is(spot, before, b':'))
        };
        let ends = |at: usize| {
            b";:,)}".iter().any(|&sign| self.is(spot, at, sign))
                || self.code(spot).is_some_and(|code| code.is_on_new_line(at))
        };
        (start..end).any(|at| is_nothing(self.word(spot, at)) && begins(at) && ends(at + 1))
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
            } else if is(b':') && self.is(spot, at + 1, b':') {
                // `static::isPacked() ? …`
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

    /// Whether `<<` stands at a token, where that puts texts together.
    pub(super) fn is_shift(&self, spot: Spot, at: usize) -> bool {
        let streams = self.language(spot).is_some_and(|language| language.streams);
        streams && self.is(spot, at, b'<') && self.is(spot, at + 1, b'<')
    }

    /// Whether a dot in front of a member stands at a token, and not one that puts texts together, or the end of an arrow.
    pub(super) fn is_dot(&self, spot: Spot, at: usize) -> bool {
        let is_dot =
            self.is(spot, at, b'.') && self.language(spot).is_some_and(|language| language.joins != b'.');
        is_dot || at.checked_sub(1).is_some_and(|before| self.is_arrow(spot, before))
    }
}

/// Whether a word stands for no value.
pub fn is_nothing(word: &str) -> bool {
    matches!(word, "null" | "nil" | "None" | "undefined")
}

//! The tokens of a file, as an expression is read: words, signs, brackets that match. An `impl` of [`Folder`], apart for
//! its length.

use super::{Folder, Spot};
use crate::extract::{
    languages::Language,
    lexer::{Kind, Token},
    sketch::NOWHERE,
};
use crate::source::{Site, SourceId};
use std::ops::Range;

impl<'a> Folder<'a> {
    /// The tokens of a file.
    pub fn tokens(&self, spot: Spot) -> &'a [Token] {
        self.units.get(spot.unit).map_or(&[], |unit| unit.tokens.as_slice())
    }

    /// The language of a file.
    pub fn language(&self, spot: Spot) -> Option<&'static Language> {
        self.units.get(spot.unit).map(|unit| unit.language)
    }

    pub(super) fn source(&self, spot: Spot) -> SourceId {
        self.units.get(spot.unit).map_or(SourceId(u32::MAX), |unit| unit.source)
    }

    /// The text of a token.
    pub fn word(&self, spot: Spot, at: usize) -> &'a str {
        let text = self.sources.get(self.source(spot)).map_or("", |source| source.text.as_str());
        let range = self.tokens(spot).get(at).map_or(0..0, |token| token.start as usize..token.end as usize);
        text.get(range).unwrap_or("")
    }

    /// Whether a token is this sign.
    pub fn is(&self, spot: Spot, at: usize, byte: u8) -> bool {
        self.tokens(spot).get(at).is_some_and(|token| token.is(byte))
    }

    /// What a token is.
    pub fn kind(&self, spot: Spot, at: usize) -> Option<Kind> {
        self.tokens(spot).get(at).map(|token| token.kind)
    }

    /// The next word of this spelling at the same bracket depth.
    pub(super) fn find_word(&self, spot: Spot, from: usize, word: &str) -> Option<usize> {
        let mut at = from;
        while at < from + 64 {
            match self.kind(spot, at)? {
                Kind::Sign if self.opens(spot, at) => at = self.matching(spot, at),
                Kind::Sign if self.closes(spot, at) => return None,
                Kind::Line => return None,
                Kind::Word if self.word(spot, at) == word => return Some(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Whether a token opens a bracket.
    pub fn opens(&self, spot: Spot, at: usize) -> bool {
        self.tokens(spot).get(at).is_some_and(|token| token.is(b'(') || token.is(b'[') || token.is(b'{'))
    }

    /// Whether a token closes a bracket.
    pub fn closes(&self, spot: Spot, at: usize) -> bool {
        self.tokens(spot).get(at).is_some_and(|token| token.is(b')') || token.is(b']') || token.is(b'}'))
    }

    /// The bracket that closes the one at a token; the end of the file where there is none.
    pub fn matching(&self, spot: Spot, open: usize) -> usize {
        let mut depth = 0_u32;
        for (at, _) in self.tokens(spot).iter().enumerate().skip(open) {
            if self.opens(spot, at) {
                depth += 1;
            } else if self.closes(spot, at) {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
        }
        self.tokens(spot).len()
    }

    /// The ranges of tokens between the commas of a bracket, and the token that closes it.
    pub fn arguments(&self, spot: Spot, open: usize) -> (Vec<(usize, usize)>, usize) {
        let close = self.matching(spot, open);
        let mut arguments = Vec::new();
        let mut start = open + 1;
        let mut at = start;
        while at < close {
            if self.opens(spot, at) {
                at = self.matching(spot, at);
            } else if self.is(spot, at, b',') {
                arguments.push((start, at));
                start = at + 1;
            }
            at += 1;
        }
        if start < close {
            arguments.push((start, close));
        }
        (arguments, close)
    }

    /// The place of some tokens.
    pub fn site(&self, spot: Spot, range: Range<usize>) -> Option<Site> {
        let tokens = self.tokens(spot);
        let last = tokens.get(range.end.checked_sub(1)?.max(range.start))?;
        Some(Site { source: self.source(spot), start: tokens.get(range.start)?.start, end: last.end })
    }

    /// Whether a token is the first of its line.
    pub fn is_on_new_line(&self, spot: Spot, at: usize) -> bool {
        let text = self.sources.get(self.source(spot)).map_or("", |source| source.text.as_str());
        let tokens = self.tokens(spot);
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let (Some(before), Some(token)) = (before, tokens.get(at)) else { return true };
        text.get(before.end as usize..token.start as usize).is_some_and(|between| between.contains('\n'))
    }

    /// The type that the function of a spot is a method of; empty where it is none.
    pub fn owner(&self, spot: Spot) -> &'a str {
        let function =
            self.units.get(spot.unit).and_then(|unit| unit.sketch.functions.get(spot.function as usize));
        match function.map(|function| function.owner) {
            Some(owner) if owner != NOWHERE => self.word(spot, owner as usize),
            _ => "",
        }
    }
}

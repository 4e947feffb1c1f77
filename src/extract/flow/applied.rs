//! Loops that are functions, given what they run over without parentheses, as in Haskell: `forM_ ships $ \ship -> …`. An `impl` of
//! [`Code`], apart for its length.

use super::{LoopSource, assignments::pattern};
use crate::extract::code::Code;

impl<'a> Code<'a> {
    /// Whether a loop that starts at a token is a function.
    pub(super) fn is_given(&self, start: usize) -> bool {
        let language = self.language();
        language.has_layout() && language.loops.contains(&self.word(start))
    }

    /// The names that each turn gives, and what the loop runs over.
    pub(super) fn given_head(&self, start: usize, end: usize) -> (Vec<&'a str>, LoopSource) {
        let lambda = (start + 1..end).find(|&at| self.is(at, b'\\'));
        let arrow =
            lambda.and_then(|lambda| (lambda..end).find(|&at| self.is(at, b'-') && self.is(at + 1, b'>')));
        let items =
            lambda.zip(arrow).map_or_else(Vec::new, |(lambda, arrow)| pattern(*self, lambda + 1..arrow));
        let word = self.word(start);
        let first = start + 1;
        let behind = if self.opens(first) { self.matching(first) + 1 } else { first + 1 };
        let source = match word {
            "forever" => LoopSource::Condition,
            "replicateM_" => LoopSource::Range,
            _ if word.starts_with("for") => self.given_source(first, behind),
            _ => self.given_source(behind, end),
        };
        (items, source)
    }

    fn given_source(&self, from: usize, to: usize) -> LoopSource {
        let close = if self.is(from, b'[') { self.matching(from) } else { from };
        let counts = (from..close).any(|at| self.is(at, b'.') && self.is(at + 1, b'.'));
        if counts { LoopSource::Range } else { self.source(from, to.min(from + 40)) }
    }
}

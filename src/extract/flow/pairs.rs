//! Values that are bound in pairs with the parameters that they are for, as the crate `sqlite` of Rust has it. An `impl` of
//! [`Flow`], apart for its length.

use super::{Flow, keys::Key};
use std::ops::Range;

impl Flow<'_> {
    /// The keys and values of pairs, by which the crate `sqlite` binds: one of them, or a list.
    pub(super) fn pairs(&self, range: Range<usize>) -> Vec<(Key, Range<usize>)> {
        let mut open = range.start;
        while open < range.end && !self.code.opens(open) {
            open += 1;
        }
        let is_whole = |open: usize, end: usize| self.code.opens(open) && self.code.matching(open) < end;
        let pair = |(start, end): (usize, usize)| {
            let is_one = self.code.is(start, b'(') && is_whole(start, end);
            match *self.code.arguments(start).0.as_slice() {
                [key, value] if is_one => Some((self.key(key.0..key.1), value.0..value.1)),
                _ => None,
            }
        };
        if !self.is_rust() || !is_whole(open, range.end) || open > range.start + 1 {
            return Vec::new();
        }
        if self.code.is(open, b'(') {
            return pair((open, range.end)).into_iter().collect();
        }
        let all: Option<Vec<_>> = self.code.arguments(open).0.into_iter().map(pair).collect();
        all.unwrap_or_default()
    }

    /// Whether a method takes the rows of a statement one by one, as an iterator of Rust does.
    pub(super) fn steps(&self, method: &str) -> bool {
        self.is_rust() && matches!(method, "next" | "into_iter" | "iter")
    }

    fn is_rust(&self) -> bool {
        self.code.language().name == "Rust"
    }
}

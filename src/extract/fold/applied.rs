//! What a function is given without parentheses, as in Haskell: `fromString text`, `unwords ["SELECT", columns]`. An `impl` of
//! [`Folder`], apart for its length.

use super::{Folded, Folder, MAX_VARIANTS, Spot, lists::joined_by};
use crate::extract::{
    languages::{Language, Place},
    lexer::Kind,
    text::Text,
};

/// The longest guard, in tokens.
const LONGEST: usize = 64;

/// The words that end what a function is given.
const ENDS: [&str; 7] = ["then", "else", "of", "in", "do", "where", "let"];

impl Folder<'_> {
    /// The value of the function at a token with what stands behind it, or of a name behind which nothing stands; and the token
    /// behind that.
    pub(super) fn applied(&self, spot: Spot, at: usize) -> Folded {
        if let Some(choice) = self.alternative(spot, at) {
            return choice;
        }
        let name = self.path_end(spot, at);
        let (given, next) = self.behind_function(spot, name + 1);
        let word = self.word(spot, name);
        let is_identity = self.language(spot).is_some_and(|one| one.identities.contains(&word));
        if is_identity && given.is_empty() && self.is(spot, next, b'$') {
            return self.chain(spot, next + 1);
        }
        let format =
            self.language(spot).and_then(|one| one.formats.iter().find(|format| format.name == word));
        if let (Some(format), Some((&first, more))) = (format, given.split_first()) {
            let more: Vec<(usize, usize)> = more.iter().map(|&one| (one, one + 1)).collect();
            let text = self.chain(spot.deeper(), first).0;
            return (self.fill_all(spot, &text, &more, format.style), next);
        }
        match *given.as_slice() {
            [] => (self.named(spot, name), next),
            [only] if is_identity => (self.chain(spot.deeper(), only).0, next),
            _ => {
                let joined = self.unites(spot, word, &given);
                let hole = || vec![self.hole(spot, at, self.spelled(spot, at, next), false)];
                (joined.unwrap_or_else(hole), next)
            }
        }
    }

    /// `if condition then a else b`
    fn alternative(&self, spot: Spot, at: usize) -> Option<Folded> {
        if self.word(spot, at) != "if" {
            return None;
        }
        let then = self.find_word(spot, at, "then")?;
        let (mut values, next) = self.chain(spot.deeper(), then + 1);
        if self.word(spot, next) != "else" {
            return None;
        }
        let (others, end) = self.chain(spot.deeper(), next + 1);
        values.extend(others);
        values.truncate(MAX_VARIANTS);
        Some((values, end))
    }

    /// `| condition = a | otherwise = b`
    pub(super) fn guarded(&self, spot: Spot, at: usize) -> Folded {
        let (mut values, mut next) = (Vec::new(), at);
        while self.is(spot, next, b'|') {
            let Some(sign) = self.guard_end(spot, next + 1) else { break };
            let (value, end) = self.chain(spot.deeper(), sign + 1);
            values.extend(value);
            next = end.max(sign + 1);
        }
        values.truncate(MAX_VARIANTS);
        if values.is_empty() { (vec![self.hole(spot, at, "", false)], at + 1) } else { (values, next) }
    }

    /// The `=` behind a guard.
    fn guard_end(&self, spot: Spot, from: usize) -> Option<usize> {
        let touches = |at: usize| {
            let tokens = self.tokens(spot);
            let (one, next) = (tokens.get(at), tokens.get(at + 1));
            one.zip(next).is_some_and(|(one, next)| {
                one.end == next.start && one.kind == Kind::Sign && next.kind == Kind::Sign
            })
        };
        let mut at = from;
        while at < from + LONGEST {
            match self.kind(spot, at)? {
                Kind::Line => return None,
                Kind::Sign if self.opens(spot, at) => at = self.matching(spot, at),
                Kind::Sign if self.is(spot, at, b'=') && !touches(at) && !touches(at - 1) => return Some(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Where what a function is given starts, and the token behind all of it.
    fn behind_function(&self, spot: Spot, from: usize) -> (Vec<usize>, usize) {
        let mut given = Vec::new();
        let mut at = from;
        loop {
            let end = match self.kind(spot, at) {
                Some(Kind::Word) if !ENDS.contains(&self.word(spot, at)) => self.path_end(spot, at) + 1,
                Some(Kind::Text | Kind::Atom) => at + 1,
                Some(Kind::Sign) if self.opens(spot, at) => self.matching(spot, at) + 1,
                _ => return (given, at),
            };
            given.push(at);
            at = end.max(at + 1);
        }
    }

    /// The text that a function makes of a list: `unwords […]`, `intercalate ", " […]`.
    fn unites(&self, spot: Spot, word: &str, given: &[usize]) -> Option<Vec<Text>> {
        let joining = self.joining(spot, word)?;
        let (separators, list) = match (joining.separator, given) {
            (Place::Always(text), [list]) => (vec![self.exactly(text, spot, *list)], *list),
            (_, [separator, list]) => (self.chain(spot.deeper(), *separator).0, *list),
            _ => return None,
        };
        joined_by(&self.list_at(spot.deeper(), list)?, &separators)
    }

    /// Whether layout makes the blocks of the language, and declarations stand in no order.
    pub(super) fn has_layout(&self, spot: Spot) -> bool {
        self.language(spot).is_some_and(Language::has_layout)
    }

    /// Whether the name at a token is what a function is given without parentheses.
    pub(super) fn is_applied(&self, spot: Spot, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.kind(spot, before));
        self.has_layout(spot) && before == Some(Kind::Word) && !self.is(spot, at + 1, b'=')
    }

    /// Where the function around starts, in a language whose declarations stand in no order.
    pub(super) fn unordered_start(&self, spot: Spot) -> Option<usize> {
        self.unordered(spot).map(|(start, _)| start + 1)
    }

    /// Where the function around ends, in a language whose declarations stand in no order.
    pub(super) fn unordered_end(&self, spot: Spot) -> Option<usize> {
        self.unordered(spot).map(|(_, end)| end)
    }

    /// The tokens of the function around, where that is not very long: each name in it asks.
    fn unordered(&self, spot: Spot) -> Option<(usize, usize)> {
        const LONGEST_BODY: usize = 4096;
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let (start, end) = (function.name as usize, function.end as usize);
        (self.has_layout(spot) && end - start <= LONGEST_BODY).then_some((start, end))
    }
}

//! Constants that are numbers. An `impl` of [`Walker`], apart for its length.

use super::{NOWHERE, Number, Walker};
use crate::extract::lexer::Kind;

/// How many words stand in front of the name of a constant at the most.
const MOST_WORDS: usize = 6;

impl Walker<'_> {
    /// The number that a word declares: `const NAME = 1`, `#define NAME 1`.
    pub(super) fn declare_number(&mut self, at: usize, name: usize, value: usize) {
        let word = self.slice(at);
        let is_mutable = (at..name).any(|at| self.slice(at) == "mut");
        // `let` is what never changes where nothing else is.
        let fixes = match word {
            "const" | "val" | "define" | "static" => true,
            "let" => !self.language.declares.contains(&"const"),
            _ => false,
        };
        self.add_number(name, value, word == "const", fixes && !is_mutable);
    }

    /// The number that a name is given where words in front of it, or capitals, say that it stays.
    pub(super) fn bind_number(&mut self, name: usize, value: usize) {
        if self.place().0 != NOWHERE || !(self.kind(value) == Some(Kind::Atom) || self.is(value, b'-')) {
            return;
        }
        let before = (name.saturating_sub(MOST_WORDS)..name).rev();
        let mut words = before.take_while(|&at| !b";{}".iter().any(|&sign| self.is(at, sign)));
        let is_said = self.language.typed
            && words.any(|at| matches!(self.slice(at), "final" | "const" | "constexpr" | "readonly"));
        let opener = self.openers.last().and_then(|&open| open.checked_sub(1));
        let is_listed = opener.is_some_and(|word| self.slice(word as usize) == "const");
        let shouts = self.language.indented && !self.slice(name).contains(char::is_lowercase);
        if is_said || is_listed || shouts {
            self.add_number(name, value, false, true);
        }
    }

    fn add_number(&mut self, name: usize, value: usize, is_const: bool, fixes: bool) {
        let digits = value + usize::from(self.is(value, b'-'));
        let is_const = is_const && digits == value && (self.is(value + 1, b';') || self.language.breaks);
        let is_fixed = fixes && self.place().0 == NOWHERE && self.ends_number(digits);
        if self.kind(digits) != Some(Kind::Atom) || !(is_const || is_fixed) {
            return;
        }
        let (Some(name), Some(first), Some(last)) =
            (self.tokens.get(name), self.tokens.get(value), self.tokens.get(digits))
        else {
            return;
        };
        let spelt: String = self.slice(digits).bytes().filter(|&byte| byte != b'_').map(char::from).collect();
        let value = spelt.trim_end_matches(|last: char| !last.is_ascii_digit()).parse().unwrap_or(u64::MAX);
        let (name, literal) = ((name.start, name.end), (first.start, last.end));
        self.found.numbers.push(Number { name, value, literal, is_const, is_fixed });
    }

    /// Whether the token is the last of a value.
    fn ends_number(&self, at: usize) -> bool {
        let (Some(this), Some(next)) = (self.tokens.get(at), self.tokens.get(at + 1)) else { return true };
        let between = self.text.get(this.end as usize..next.start as usize).unwrap_or("");
        next.is(b';') || next.is(b',') || next.kind == Kind::Line || between.contains('\n')
    }
}

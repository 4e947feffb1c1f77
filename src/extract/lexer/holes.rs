//! Strings with expressions in them, which may hold strings of their own. An `impl` of [`Lexer`], apart for its length.

use super::{Class, Lexer, Table, Token};
use crate::extract::languages::{Escapes, Holes, Language, Marks, StringForm};

/// The most expressions that are followed into one another.
const MOST_NESTED: u8 = 8;
const NO_MARKS: Marks = Marks { open: &[], names: false, doubled: false };

impl StringForm {
    /// What marks the expressions in it.
    pub fn marks(&self) -> Marks {
        match self.holes {
            Holes::Marked(marks) => marks,
            Holes::None | Holes::Braces => NO_MARKS,
        }
    }

    /// The mark that a text starts with, and whether it is doubled, and so no mark.
    pub fn mark(&self, text: &[u8]) -> Option<(&'static str, bool)> {
        let marks = self.marks();
        let mark = marks.open.iter().copied().find(|mark| text.starts_with(mark.as_bytes()))?;
        let twice = || text.get(mark.len()..).is_some_and(|rest| rest.starts_with(mark.as_bytes()));
        Some((mark, marks.doubled && twice()))
    }
}

impl Lexer<'_> {
    /// Goes on behind the end of a string that has expressions in it, or its quote twice.
    pub(super) fn skip_marked(&mut self, form: &StringForm) -> bool {
        let close = form.close.as_bytes();
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_alphanumeric() || byte == b' ' {
                self.at += 1;
            } else if byte == b'\n' && !form.multiline {
                return false;
            } else if let Some((mark, doubled)) = form.mark(self.rest()) {
                if doubled {
                    self.at += 2 * mark.len();
                } else {
                    self.skip_hole(mark);
                }
            } else if byte == b'\\' && !matches!(form.escapes, Escapes::None | Escapes::Doubled) {
                self.at += 2;
            } else if self.rest().starts_with(close) {
                self.at += close.len();
                let again = self.rest().starts_with(close);
                if !(form.escapes == Escapes::Doubled && again) {
                    // Quotes in front of a triple quote belong to the text.
                    while close.len() == 3
                        && form.escapes == Escapes::None
                        && self.rest().first() == close.first()
                    {
                        self.at += 1;
                    }
                    return true;
                }
                self.at += close.len();
            } else {
                self.at += 1;
            }
        }
        self.at = self.at.min(self.bytes.len());
        false
    }

    /// Goes on behind the expression that a mark opens; behind the mark, where it is never closed.
    fn skip_hole(&mut self, mark: &str) {
        self.at += mark.len();
        let inside = self.at;
        if self.nesting >= MOST_NESTED || self.never_closed {
            return;
        }
        self.nesting += 1;
        if !self.close_hole() {
            self.never_closed = self.at >= self.bytes.len();
            self.at = inside;
        }
        self.nesting -= 1;
    }

    fn close_hole(&mut self) -> bool {
        let mut depth = 1_u32;
        while let Some(&byte) = self.bytes.get(self.at) {
            match self.table.class(byte) {
                Class::Open => depth += 1,
                Class::Close if depth == 1 => {
                    self.at += 1;
                    return true;
                }
                Class::Close => depth -= 1,
                Class::Quote if self.quote().is_some() => continue,
                Class::Tick => {
                    self.tick();
                    continue;
                }
                Class::Comment if self.comment() || self.regex() => continue,
                _ => {}
            }
            self.at += 1;
        }
        false
    }
}

/// The place behind the expression that a mark opens at a place of a text.
pub fn hole_end(text: &str, at: usize, mark: &str, language: &Language, table: &Table) -> usize {
    let mut lexer = Lexer::new(text, language, table);
    lexer.at = at;
    lexer.skip_hole(mark);
    lexer.at
}

/// The string that begins at a place of a text, as it stands there with nothing in front of its quote.
pub fn text_at(text: &str, at: usize, language: &Language, table: &Table) -> Option<Token> {
    let mut lexer = Lexer::new(text, language, table);
    lexer.at = at;
    lexer.quote()
}

//! Numbers, characters and lifetimes. An `impl` of [`Lexer`], apart for its length.

use super::{Class, Kind, Lexer};
use memchr::memchr;

impl Lexer<'_> {
    pub(super) fn number(&mut self) {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            let fraction = byte == b'.' && self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit);
            if !fraction && !matches!(self.table.class(byte), Class::Word | Class::Digit) {
                break;
            }
            self.at += 1;
        }
        self.push_from(Kind::Atom, start, self.at, 0);
    }

    /// Skips a character literal, or a lifetime: `'a'`, `'\n'`, `'static`.
    pub(super) fn tick(&mut self) {
        let start = self.at;
        let next = self.bytes.get(start + 1).copied().unwrap_or(0);
        if next == b'\\' {
            let body = self.bytes.get(start + 3..).unwrap_or(&[]);
            self.at = memchr(b'\'', body).map_or(self.bytes.len(), |offset| start + offset + 4);
        } else {
            let width = utf8_width(next);
            let closed = self.bytes.get(start + 1 + width) == Some(&b'\'');
            self.at = start + 1 + if closed { width + 1 } else { 0 };
            while !closed
                && self.bytes.get(self.at).is_some_and(|&byte| self.table.class(byte) == Class::Word)
            {
                self.at += 1;
            }
        }
    }
}

fn utf8_width(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}

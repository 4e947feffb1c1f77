//! Strings: their prefixes and quotes, and where they end. An `impl` of [`Lexer`], apart for its length.

use super::{Kind, Lexer, Token};
use crate::extract::languages::{Ending, Escapes, Holes, StringForm};
use memchr::{memchr, memchr2, memmem};

impl Lexer<'_> {
    /// A string whose prefix is the word just read; `None` if the word is no prefix of one.
    pub(super) fn prefixed(&mut self, start: usize) -> Option<Token> {
        let prefix = self.bytes.get(start..self.at).unwrap_or(&[]);
        let hashes = self.rest().iter().take_while(|&&byte| byte == b'#').count();
        let after = self.bytes.get(self.at + hashes..).unwrap_or(&[]);
        let found = self.language.strings.iter().enumerate().find(|(_, form)| {
            form.prefix.as_bytes().eq_ignore_ascii_case(prefix)
                && !prefix.is_empty()
                && (hashes == 0 || form.hashes)
                && after.starts_with(form.open.as_bytes())
        });
        let (index, form) = found?;
        self.at += hashes;
        self.string(start, index, form, hashes)
    }

    /// A string without a prefix; `None` if none starts here.
    pub(super) fn quote(&mut self) -> Option<Token> {
        let (start, language) = (self.at, self.language);
        for (index, form) in language.strings.iter().enumerate() {
            let fits = form.prefix.is_empty()
                && self.rest().starts_with(form.open.as_bytes())
                && !self.is_comprehension(form);
            if fits && let Some(token) = self.string(start, index, form, 0) {
                return Some(token);
            }
            self.at = start;
        }
        None
    }

    /// Reads a string from its opening delimiter to its end; `None` where what stands there opens none.
    fn string(&mut self, start: usize, index: usize, form: &StringForm, hashes: usize) -> Option<Token> {
        self.at += form.open.len();
        let (inner, close, end) = if form.ending == Ending::Quote {
            let inner = self.at;
            let closed = match (form.escapes, form.holes) {
                (Escapes::Doubled, _) | (_, Holes::Marked(_)) => self.skip_marked(form),
                (Escapes::None, _) => self.skip_raw(form.close.as_bytes(), hashes),
                _ => self.skip_escaped(form),
            };
            (inner, if closed { form.close.len() + hashes } else { 0 }, self.at)
        } else {
            self.special(form)?
        };
        let (open, close) = ((inner - start).min(255) as u8, close.min(255) as u8);
        let (start, end, form) = (start as u32, end as u32, index as u8);
        Some(Token { start, end, kind: Kind::Text, form, open, close })
    }

    fn skip_raw(&mut self, close: &[u8], hashes: usize) -> bool {
        while let Some(end) = memmem::find(self.rest(), close) {
            self.at += end + close.len();
            let behind = self.rest().iter().take(hashes).take_while(|&&byte| byte == b'#').count();
            if behind == hashes {
                self.at += hashes;
                // Quotes in front of a triple quote belong to the text.
                while hashes == 0 && close.len() == 3 && self.rest().first() == close.first() {
                    self.at += 1;
                }
                return true;
            }
        }
        self.at = self.bytes.len();
        false
    }

    fn skip_escaped(&mut self, form: &StringForm) -> bool {
        let close = form.close.as_bytes();
        let first = close.first().copied().unwrap_or(b'"');
        while let Some(offset) = memchr2(first, b'\\', self.rest()) {
            if !form.multiline
                && let Some(end) = memchr(b'\n', self.rest().get(..offset).unwrap_or(&[]))
            {
                // An unterminated string ends with its line, so that one typo does not turn the file inside out.
                self.at += end;
                return false;
            }
            self.at += offset;
            if self.rest().starts_with(close) {
                self.at += close.len();
                return true;
            }
            self.at += if self.bytes.get(self.at) == Some(&b'\\') { 2 } else { 1 };
        }
        self.at = self.bytes.len();
        false
    }
}

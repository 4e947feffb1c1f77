//! Strings that do not end with the quote that opens them: raw strings of C++, the heredocs of PHP and Ruby, `%q(…)`. An
//! `impl` of [`Lexer`], apart for its length.

use super::{Class, Lexer};
use crate::extract::languages::{Ending, StringForm};
use memchr::{memchr, memmem};

impl Lexer<'_> {
    /// Reads such a string from behind its opening mark to its end: where its content starts, how long what closes it is,
    /// and where it ends. `None` where what stands here is no string.
    pub(super) fn special(&mut self, form: &StringForm) -> Option<(usize, usize, usize)> {
        let quoted = form.open.ends_with('\'');
        match form.ending {
            Ending::Quote => None,
            Ending::Delimiter => self.delimited(form),
            Ending::Word => self.heredoc(self.at - usize::from(quoted)),
            Ending::WordBelow => self.heredoc_below(self.at - usize::from(quoted)),
            Ending::Bracket => self.bracketed(),
        }
    }

    /// `R"word(…)word"`.
    fn delimited(&mut self, form: &StringForm) -> Option<(usize, usize, usize)> {
        let length = memchr(b'(', self.rest().get(..17.min(self.rest().len()))?)?;
        let word = self.rest().get(..length)?;
        let close = [b")", word, form.close.as_bytes()].concat();
        let start = self.at + length + 1;
        let body = self.bytes.get(start..)?;
        let end = memmem::find(body, &close);
        self.at = end.map_or(self.bytes.len(), |end| start + end + close.len());
        Some((start, end.map_or(0, |_| close.len()), self.at))
    }

    /// The word that ends a heredoc, and the place behind it: `SQL`, `'SQL'`, `"SQL"`.
    fn end_word(&self, at: usize) -> Option<(&[u8], usize)> {
        let quote = self.bytes.get(at).copied().filter(|byte| b"'\"`".contains(byte));
        let start = at + usize::from(quote.is_some());
        let rest = self.bytes.get(start..)?;
        let is_word = |byte: &&u8| matches!(self.table.class(**byte), Class::Word | Class::Digit);
        let length = rest.iter().take_while(is_word).count();
        let word =
            rest.get(..length).filter(|word| word.first().is_some_and(|first| !first.is_ascii_digit()))?;
        let end = start + length;
        match quote {
            Some(quote) => (self.bytes.get(end) == Some(&quote)).then_some((word, end + 1)),
            None => Some((word, end)),
        }
    }

    /// `<<<SQL`: content, and a line that starts with the word.
    fn heredoc(&mut self, at: usize) -> Option<(usize, usize, usize)> {
        let spaces = self.bytes.get(at..)?.iter().take_while(|byte| **byte == b' ').count();
        let (word, behind) = self.end_word(at + spaces)?;
        let start = behind + memchr(b'\n', self.bytes.get(behind..)?)? + 1;
        let (end, close) = self.line_of(word, start)?;
        self.at = end + close;
        Some((start, close, self.at))
    }

    /// `<<~SQL`: the same below this line, or below the strings that stand there already.
    fn heredoc_below(&mut self, at: usize) -> Option<(usize, usize, usize)> {
        let (word, behind) = self.end_word(at)?;
        // `list << ITEM` and `list <<item` add to a list.
        let quoted = behind > at + word.len();
        if !quoted
            && !word.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit())
        {
            return None;
        }
        let line = behind + memchr(b'\n', self.bytes.get(behind..)?)? + 1;
        // What was noted within an expression of a string may lie behind us.
        let start = self.below.map_or(line, |below| below.max(line));
        let (end, close) = self.line_of(word, start)?;
        // The token reaches over the rest of its line, whose tokens come behind it.
        self.below = Some(end + close);
        self.at = behind;
        Some((start, close, end + close))
    }

    /// The line that holds a word and nothing else, from a place on: where it starts, and how long it is up to the end of
    /// the word.
    fn line_of(&self, word: &[u8], from: usize) -> Option<(usize, usize)> {
        let mut start = from;
        loop {
            let rest = self.bytes.get(start..)?;
            let indent = rest.iter().take_while(|byte| b" \t".contains(byte)).count();
            let behind = rest.get(indent..)?.strip_prefix(word);
            let ends = |rest: &[u8]| {
                rest.first().is_none_or(|byte| !matches!(self.table.class(*byte), Class::Word | Class::Digit))
            };
            if behind.is_some_and(ends) {
                return Some((start, indent + word.len()));
            }
            start += memchr(b'\n', rest)? + 1;
        }
    }

    /// `%q(…)`: brackets nest, other signs do not.
    fn bracketed(&mut self) -> Option<(usize, usize, usize)> {
        let open = *self.rest().first()?;
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' => b'>',
            b'|' | b'!' | b'/' => open,
            _ => return None,
        };
        let before = self.bytes.get(self.at.checked_sub(2)?).copied().unwrap_or(b' ');
        let alone = self.bytes.get(self.at - 1) == Some(&b'%');
        if alone && !(before.is_ascii_whitespace() || b"([{,=:".contains(&before)) {
            return None;
        }
        let start = self.at + 1;
        let (mut at, mut depth) = (start, 1_u32);
        while let Some(&byte) = self.bytes.get(at) {
            at += 1;
            if byte == b'\\' {
                at += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    self.at = at;
                    return Some((start, 1, at));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        None
    }
}

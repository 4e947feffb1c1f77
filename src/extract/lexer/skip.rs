//! Skips the body of a function of which nothing is wanted: braces are counted, and strings are looked at, without
//! a token being made. An `impl` of [`Lexer`], apart for its length.

use super::{Class, Lexer, Token, is_stop, runs};

impl Lexer<'_> {
    /// Goes on to the brace that closes the body just opened, unless a string in it `matters`, or it never ends.
    pub fn skip_body(&mut self, matters: impl Fn(&str, &Token) -> bool) {
        let start = self.at;
        let mut depth = 1_u32;
        while let Some(byte) = self.next_stop() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 1 => return,
                b'}' => depth -= 1,
                _ => {
                    if self.skip_stop(byte).is_some_and(|token| matters(self.text, &token)) {
                        break;
                    }
                    continue;
                }
            }
            self.at += 1;
        }
        self.at = start;
    }

    /// The next byte that may be a brace, or open a string, a character or a comment.
    fn next_stop(&mut self) -> Option<u8> {
        self.at = if let Some(stops) = &self.table.stops {
            runs::stop(self.bytes, self.at, stops)
        } else {
            let stops = |byte: &u8| b"{}".contains(byte) || is_stop(self.table.class(*byte));
            let rest = self.rest();
            self.at + rest.iter().position(stops).unwrap_or(rest.len())
        };
        self.bytes.get(self.at).copied()
    }

    /// Skips what starts with a byte, and gives the string if it is one.
    fn skip_stop(&mut self, byte: u8) -> Option<Token> {
        let start = self.at;
        match self.table.class(byte) {
            Class::Quote => {
                let token = self.prefixed_before().or_else(|| {
                    self.at = start;
                    self.quote()
                });
                if token.is_some() {
                    return token;
                }
                self.at += 1;
            }
            Class::Tick => self.tick(),
            Class::Comment if self.comment() || self.regex() => {}
            _ => self.at += 1,
        }
        None
    }

    /// The string whose opening quote stands here, if it has a prefix: the word in front, and the `#` behind that.
    fn prefixed_before(&mut self) -> Option<Token> {
        let before = self.bytes.get(..self.at)?;
        let hashes = before.iter().rev().take_while(|&&byte| byte == b'#').count();
        let end = self.at - hashes;
        let in_word = |byte: u8| matches!(self.table.class(byte), Class::Word | Class::Digit);
        let length = before.iter().rev().skip(hashes).take(4).take_while(|&&byte| in_word(byte)).count();
        if length == 0 || length > 3 {
            return None;
        }
        self.at = end;
        self.prefixed(end - length)
    }
}

#[cfg(test)]
mod tests {
    use crate::extract::{
        languages,
        lexer::{Lexer, Table, lex},
    };

    #[test]
    fn a_body_ends_where_its_brace_is_closed() {
        let bodies = [
            (
                "a.rs",
                "fn f() { g('}', '\\'', b\"}\", r#\"\"}\"#, \"\\\"}\"); /* } /* } */ */ // }\n if a { b } }c",
            ),
            ("a.go", "func f() { g('}', `}\\`, \"\\\"}\") /* } */ // }\n if a { b } }c"),
        ];
        for (path, text) in bodies {
            let language = languages::of(path).unwrap();
            let table = Table::new(language);
            let mut lexer = Lexer::new(text, language, &table);
            assert!(lexer.run());
            lexer.skip_body(|_, _| false);
            assert_eq!(text.get(lexer.at..), Some("}c"));
            let mut other = Lexer::new(text, language, &table);
            assert!(other.run());
            let start = other.at;
            other.skip_body(|_, _| true);
            assert_eq!(other.at, start);
            while other.run() {}
            assert_eq!(other.tokens.len(), lex(text, language, &table).len());
        }
    }
}

//! The tokens of an SQL text, cut exactly where SQLite cuts them. Knows no grammar.

/// What a token is, as far as its first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or a name without quotes.
    Word,
    /// A name in double quotes, backticks or brackets.
    Quoted,
    /// A string or blob literal.
    Text,
    /// A number.
    Number,
    /// A parameter.
    Parameter,
    /// One byte, or one character, of anything else.
    Sign,
}

/// A token and its bytes in the text.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Its text.
    pub text: &'a str,
}

impl Token<'_> {
    /// Whether this is the keyword; never true of a quoted name.
    pub fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether this is the one sign.
    pub fn is_sign(&self, sign: char) -> bool {
        self.kind == Kind::Sign && self.text.starts_with(sign)
    }

    /// Whether a name may stand here as this token: SQLite takes a string for a name as well.
    pub fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted | Kind::Text)
    }

    /// The name without its quotes.
    pub fn name(&self) -> String {
        let inner = |quote: char| {
            let body = self.text.strip_prefix(quote)?;
            let body = body.strip_suffix(quote).unwrap_or(body);
            Some(body.replace(&format!("{quote}{quote}"), &quote.to_string()))
        };
        let bracketed = || Some(self.text.strip_prefix('[')?.strip_suffix(']')?.to_owned());
        let quoted = inner('"').or_else(|| inner('`')).or_else(|| inner('\'')).or_else(bracketed);
        quoted.unwrap_or_else(|| self.text.to_owned())
    }
}

/// The parenthesis that closes the one at a place.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is_sign('(') {
            depth += 1;
        } else if token.is_sign(')') {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Reads tokens from a place in a text on; white space and comments are passed over. A NUL byte ends the text, as it
/// does for SQLite.
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    /// The tokens of a text, from a byte on.
    pub fn from(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The first place at or after `at` whose byte is not such a one.
    fn while_byte(&self, at: usize, wanted: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or(&[]);
        at + rest.iter().position(|byte| !wanted(*byte)).unwrap_or(rest.len())
    }

    /// The place after the next `end`, or the end of the text.
    fn after(&self, at: usize, end: &str) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or(&[]);
        memchr::memmem::find(rest, end.as_bytes()).map_or(self.text.len(), |found| at + found + end.len())
    }

    fn skip_space(&mut self) {
        loop {
            self.at = match (self.byte(self.at), self.byte(self.at + 1)) {
                (b' ' | b'\t' | b'\n' | b'\x0c' | b'\r', _) => self.at + 1,
                (b'-', b'-') => self.after(self.at, "\n"),
                (b'/', b'*') if self.byte(self.at + 2) != 0 => self.after(self.at + 2, "*/"),
                (0xEF, 0xBB) if self.byte(self.at + 2) == 0xBF => self.at + 3,
                _ => return,
            };
        }
    }

    /// The end of a quoted token that begins here; a quote is escaped by doubling it.
    fn quoted(&self, from: usize, quote: u8) -> usize {
        let mut at = from + 1;
        loop {
            at = self.while_byte(at, |byte| byte != quote && byte != 0);
            if self.byte(at) != quote {
                return at;
            }
            if self.byte(at + 1) != quote {
                return at + 1;
            }
            at += 2;
        }
    }

    /// The end of a named parameter that begins here: Tcl's `$a::b(c)` is one.
    fn parameter(&self, from: usize) -> usize {
        let mut at = from + 1;
        loop {
            let named = self.while_byte(at, is_name_byte);
            match (self.byte(named), self.byte(named + 1)) {
                (b':', b':') => at = named + 2,
                (b'(', _) if named > from + 1 => {
                    let inner = |byte: u8| byte != 0 && byte != b')' && !byte.is_ascii_whitespace();
                    let close = self.while_byte(named + 1, inner);
                    return if self.byte(close) == b')' { close + 1 } else { close };
                }
                _ => return named,
            }
        }
    }

    /// The end of a number that begins here. Its letters are its own: `0xFF`, `1e5`; so is the sign of an exponent.
    fn number(&self, from: usize) -> usize {
        let digits = |at| self.while_byte(at, |byte| is_name_byte(byte) || byte == b'.');
        let end = digits(from);
        let hexadecimal = self.byte(from) == b'0' && self.byte(from + 1).eq_ignore_ascii_case(&b'x');
        let exponent = self.byte(end - 1).eq_ignore_ascii_case(&b'e') && !hexadecimal;
        let signed = matches!(self.byte(end), b'+' | b'-') && self.byte(end + 1).is_ascii_digit();
        if exponent && signed { digits(end + 1) } else { end }
    }

    fn token(&self) -> Option<(Kind, usize)> {
        let at = self.at;
        Some(match (self.byte(at), self.byte(at + 1)) {
            (0, _) => return None,
            (b'x' | b'X', b'\'') => (Kind::Text, self.quoted(at + 1, b'\'')),
            (b'\'', _) => (Kind::Text, self.quoted(at, b'\'')),
            (quote @ (b'"' | b'`'), _) => (Kind::Quoted, self.quoted(at, quote)),
            (b'[', _) => (Kind::Quoted, self.after(at, "]")),
            (b'?', _) => (Kind::Parameter, self.while_byte(at + 1, |byte| byte.is_ascii_digit())),
            (b'$' | b'@' | b'#' | b':', next) if is_name_byte(next) || next == b':' => {
                (Kind::Parameter, self.parameter(at))
            }
            (b'0'..=b'9', _) | (b'.', b'0'..=b'9') => (Kind::Number, self.number(at)),
            (first, _) if is_name_byte(first) => (Kind::Word, self.while_byte(at, is_name_byte)),
            _ => (Kind::Sign, at + 1),
        })
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_space();
        let start = self.at;
        let (kind, end) = self.token()?;
        let end = end.min(self.text.len());
        self.at = end;
        Some(Token { kind, start, end, text: self.text.get(start..end)? })
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

//! One table-driven lexer for all host languages: words, numbers, strings and signs, without comments.
//! Knows how a language writes these (its [`Language`] says); knows no grammar and no SQL.

use super::languages::{Escapes, Language, StringForm};
use memchr::{memchr, memchr2, memmem};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A word: an identifier or a keyword.
    Word,
    /// A number, a character, a lifetime.
    Atom,
    /// A string, in the form of the language that [`Token::form`] numbers.
    Text,
    /// One byte of punctuation.
    Sign,
    /// The start of a logical line, in languages where indentation counts: from the line's start to its first token.
    Line,
}

/// A token: twelve bytes, so that a tree of sources fits in memory.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    /// The first byte in the source.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// What it is.
    pub kind: Kind,
    /// For a text: its form, as an index into the forms of the language. For a sign: its byte.
    pub form: u8,
    /// For a text: the length of its opening delimiter, prefix included.
    pub open: u8,
    /// For a text: the length of its closing delimiter; 0 where the file ends first.
    pub close: u8,
}

impl Token {
    /// The range of a text's content, between the delimiters.
    pub fn inner(&self) -> (u32, u32) {
        (self.start + u32::from(self.open), self.end - u32::from(self.close))
    }

    /// Whether this is the sign `byte`.
    pub fn is(&self, byte: u8) -> bool {
        self.kind == Kind::Sign && self.form == byte
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Newline,
    Word,
    Digit,
    Quote,
    Tick,
    Comment,
    Sign,
}

/// The classes of all bytes in one language.
pub struct Table {
    classes: [Class; 256],
    /// The bytes that go on with a word.
    in_word: [bool; 256],
}

impl Table {
    /// The table of a language.
    pub fn new(language: &Language) -> Self {
        let mut classes = [Class::Sign; 256];
        for (byte, class) in (0_u8..=255).zip(classes.iter_mut()) {
            *class = match byte {
                b'\n' => Class::Newline,
                b' ' | b'\t' | b'\r' | 0x0c => Class::Space,
                b'0'..=b'9' => Class::Digit,
                b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80..=0xff => Class::Word,
                _ if language.strings.iter().any(|form| form.prefix.is_empty() && form.opens_with(byte)) => {
                    Class::Quote
                }
                b'\'' if language.ticks => Class::Tick,
                _ if language.comment_starts_with(byte) => Class::Comment,
                _ => Class::Sign,
            };
        }
        let in_word = classes.map(|class| matches!(class, Class::Word | Class::Digit));
        Self { classes, in_word }
    }

    fn in_word(&self, byte: u8) -> bool {
        self.in_word.get(usize::from(byte)).copied().unwrap_or(false)
    }

    fn class(&self, byte: u8) -> Class {
        self.classes.get(usize::from(byte)).copied().unwrap_or(Class::Sign)
    }
}

/// The tokens of a text.
pub fn lex(text: &str, language: &Language, table: &Table) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        language,
        table,
        at: 0,
        depth: 0,
        line_start: Some(0),
        tokens: Vec::with_capacity(text.len() / 6),
    };
    lexer.run();
    lexer.tokens
}

struct Lexer<'a> {
    bytes: &'a [u8],
    language: &'a Language,
    table: &'a Table,
    at: usize,
    /// Open brackets: inside them a line break means nothing.
    depth: u32,
    /// Where the line started, while no token of it was seen yet.
    line_start: Option<usize>,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        let (bytes, table) = (self.bytes, self.table);
        while let Some(&byte) = bytes.get(self.at) {
            match table.class(byte) {
                Class::Space => {
                    let mut at = self.at + 1;
                    while bytes.get(at) == Some(&b' ') {
                        at += 1;
                    }
                    self.at = at;
                }
                Class::Newline => {
                    self.at += 1;
                    self.line_start = Some(self.at);
                }
                Class::Word => self.word(),
                Class::Sign => self.sign(byte),
                Class::Comment => {
                    if !self.comment() {
                        self.sign(byte);
                    }
                }
                Class::Digit => self.number(),
                Class::Quote => self.quote(),
                Class::Tick => self.tick(),
            }
        }
    }

    #[inline]
    fn push(&mut self, kind: Kind, start: usize, form: u8) {
        self.push_text(kind, start, form, 0, 0);
    }

    #[inline]
    fn push_text(&mut self, kind: Kind, start: usize, form: u8, open: u8, close: u8) {
        if self.language.indented
            && let Some(line) = self.line_start.take()
            && self.depth == 0
        {
            let token =
                Token { start: line as u32, end: start as u32, kind: Kind::Line, form: 0, open: 0, close: 0 };
            self.tokens.push(token);
        }
        self.tokens.push(Token { start: start as u32, end: self.at as u32, kind, form, open, close });
    }

    fn word(&mut self) {
        let (bytes, table) = (self.bytes, self.table);
        let start = self.at;
        let mut end = start + 1;
        while bytes.get(end).is_some_and(|&byte| table.in_word(byte)) {
            end += 1;
        }
        self.at = end;
        let next = bytes.get(end).copied().unwrap_or(0);
        if end - start <= 3 && (next == b'"' || next == b'\'' || next == b'#') && self.prefixed(start) {
            return;
        }
        self.push(Kind::Word, start, 0);
    }

    fn number(&mut self) {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            let fraction = byte == b'.' && self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit);
            if !fraction && !matches!(self.table.class(byte), Class::Word | Class::Digit) {
                break;
            }
            self.at += 1;
        }
        self.push(Kind::Atom, start, 0);
    }

    fn sign(&mut self, byte: u8) {
        let start = self.at;
        self.at += 1;
        // A backslash before the break continues the line.
        if byte == b'\\' && self.language.indented {
            self.at += memchr(b'\n', self.rest()).map_or(0, |offset| offset + 1);
            return;
        }
        self.push(Kind::Sign, start, byte);
        match byte {
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// A character literal, or a lifetime: `'a'`, `'\n'`, `'static`.
    fn tick(&mut self) {
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
        self.push(Kind::Atom, start, 0);
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    /// Skips a comment, if one stands here.
    fn comment(&mut self) -> bool {
        let rest = self.rest();
        if self.language.line_comments.iter().any(|start| rest.starts_with(start.as_bytes())) {
            self.at += memchr(b'\n', rest).unwrap_or(rest.len());
            return true;
        }
        let Some(block) =
            self.language.block_comment.as_ref().filter(|block| rest.starts_with(block.open.as_bytes()))
        else {
            return false;
        };
        let (open, close) = (block.open.as_bytes(), block.close.as_bytes());
        let mut depth = 1;
        self.at += open.len();
        while depth > 0 {
            let rest = self.rest();
            let Some(end) = memmem::find(rest, close) else {
                self.at = self.bytes.len();
                return true;
            };
            let inner = if block.nested { memmem::find(rest.get(..end).unwrap_or(&[]), open) } else { None };
            if let Some(inner) = inner {
                depth += 1;
                self.at += inner + open.len();
            } else {
                depth -= 1;
                self.at += end + close.len();
            }
        }
        true
    }

    /// A string whose prefix is the word just read; false if the word is no prefix of one.
    fn prefixed(&mut self, start: usize) -> bool {
        let prefix = self.bytes.get(start..self.at).unwrap_or(&[]);
        let hashes = self.rest().iter().take_while(|&&byte| byte == b'#').count();
        let after = self.bytes.get(self.at + hashes..).unwrap_or(&[]);
        let found = self.language.strings.iter().enumerate().find(|(_, form)| {
            form.prefix.as_bytes().eq_ignore_ascii_case(prefix)
                && !prefix.is_empty()
                && (hashes == 0 || form.hashes)
                && after.starts_with(form.open.as_bytes())
        });
        let Some((index, form)) = found else { return false };
        self.at += hashes;
        self.string(start, index, form, hashes);
        true
    }

    fn quote(&mut self) {
        let rest = self.rest();
        let forms = self.language.strings.iter().enumerate();
        let found =
            forms.clone().find(|(_, form)| form.prefix.is_empty() && rest.starts_with(form.open.as_bytes()));
        match found {
            Some((index, form)) => self.string(self.at, index, form, 0),
            None => self.sign(rest.first().copied().unwrap_or(0)),
        }
    }

    /// Reads a string from its opening delimiter to its end.
    fn string(&mut self, start: usize, index: usize, form: &StringForm, hashes: usize) {
        self.at += form.open.len();
        let open = (self.at - start).min(255) as u8;
        let mut close = form.close.as_bytes().to_vec();
        close.extend(std::iter::repeat_n(b'#', hashes));
        let closed = if form.escapes == Escapes::None {
            self.skip_raw(&close)
        } else {
            self.skip_escaped(&close, form)
        };
        let close = if closed { close.len().min(255) as u8 } else { 0 };
        self.push_text(Kind::Text, start, index as u8, open, close);
    }

    fn skip_raw(&mut self, close: &[u8]) -> bool {
        let end = memmem::find(self.rest(), close);
        self.at = end.map_or(self.bytes.len(), |end| self.at + end + close.len());
        end.is_some()
    }

    fn skip_escaped(&mut self, close: &[u8], form: &StringForm) -> bool {
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

fn utf8_width(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}

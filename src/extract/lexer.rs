//! One table-driven lexer for all host languages: words, numbers, strings and signs, without comments.
//! Knows how a language writes these (its [`Language`] says); knows no grammar and no SQL.

mod atoms;
mod endings;
mod holes;
mod layout;
mod regex;
mod runs;
mod skip;
mod strings;

pub use holes::{hole_end, text_at};

use super::{
    languages::{BlockComment, Language},
    words::Words,
};
use memchr::{memchr, memmem};

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
    /// For a text: its form, as an index into the forms of the language. For a sign: its byte. For a word: whether it may
    /// announce something.
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

    /// Whether it opens a bracket.
    #[inline]
    pub fn opens(&self) -> bool {
        self.kind == Kind::Sign && b"([{".contains(&self.form)
    }

    /// Whether it closes a bracket.
    #[inline]
    pub fn closes(&self) -> bool {
        self.kind == Kind::Sign && b")]}".contains(&self.form)
    }

    /// Its text in the source that it was read from.
    #[inline]
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
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
    Open,
    Close,
    Backslash,
    Sign,
}

/// Whether a byte may start what a brace means nothing in.
fn is_stop(class: Class) -> bool {
    matches!(class, Class::Quote | Class::Tick | Class::Comment)
}

/// The classes of all bytes in one language.
pub struct Table {
    classes: [Class; 256],
    /// The words that announce something.
    announcing: Words,
    /// The bytes that a search for the end of a body stops at; `None` where they are too many.
    stops: Option<runs::Stops>,
    /// Whether the tree uses the library whose methods make SQL.
    pub has_methods: bool,
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
                b'/' if language.regexes => Class::Comment,
                // It is none of the name, as a sigil is none.
                b'#' if language.private_names => Class::Space,
                b'#' if language.has_layout() => Class::Comment,
                b'(' | b'[' | b'{' => Class::Open,
                b')' | b']' | b'}' => Class::Close,
                b'\\'
                    if (language.indented && !language.has_layout())
                        || language.declares.contains(&"define") =>
                {
                    Class::Backslash
                }
                _ => Class::Sign,
            };
        }
        let special = (0_u8..=255).zip(classes).filter(|&(_, class)| is_stop(class)).map(|(byte, _)| byte);
        let stops = runs::stops([b'{', b'}'].into_iter().chain(special));
        Self { classes, announcing: language.announcing().collect(), stops, has_methods: false }
    }

    fn class(&self, byte: u8) -> Class {
        self.classes.get(usize::from(byte)).copied().unwrap_or(Class::Sign)
    }
}

/// The tokens of a text.
pub fn lex(text: &str, language: &Language, table: &Table) -> Vec<Token> {
    let mut lexer = Lexer::new(text, language, table);
    lexer.tokens.reserve(text.len() / 6);
    while lexer.run() {}
    lexer.tokens
}

/// Reads a text from front to back.
pub struct Lexer<'a> {
    bytes: &'a [u8],
    text: &'a str,
    language: &'a Language,
    table: &'a Table,
    /// The word that starts a function; empty where indentation makes the blocks.
    function: &'a [u8],
    /// The depth of the last function whose body was not seen yet.
    header: Option<u32>,
    /// Whether lines are tokens.
    has_lines: bool,
    at: usize,
    /// Open brackets: inside them a line break means nothing.
    depth: u32,
    /// Where the line started, while no token of it was seen yet.
    line_start: Option<usize>,
    /// The end of the strings that start in this line and stand below it.
    below: Option<usize>,
    /// How many expressions within strings are open.
    nesting: u8,
    /// Whether one of them was never closed, so that no other is looked for.
    never_closed: bool,
    layout: layout::Layout,
    /// What was read so far.
    pub tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    /// Stands in front of a text.
    pub fn new(text: &'a str, language: &'a Language, table: &'a Table) -> Self {
        let first = text.len() - text.trim_start_matches('\u{feff}').len();
        Self {
            bytes: text.as_bytes(),
            text,
            language,
            table,
            function: if language.indented { &[] } else { language.function.as_bytes() },
            header: None,
            has_lines: language.indented,
            at: language.outside.as_ref().map_or(first, |outside| first_code(text, outside)),
            depth: 0,
            line_start: Some(first),
            below: None,
            nesting: 0,
            never_closed: false,
            layout: layout::Layout::default(),
            tokens: Vec::new(),
        }
    }

    /// Reads on until the brace that opens the body of a function was read; false at the end of the text.
    pub fn run(&mut self) -> bool {
        let (bytes, table) = (self.bytes, self.table);
        let mut at = self.at;
        while let Some(&byte) = bytes.get(at) {
            match table.class(byte) {
                Class::Space => at = runs::spaces_end(bytes, at + 1),
                Class::Newline => {
                    at = self.below.take().unwrap_or(at + 1);
                    self.line_start = Some(at);
                    at = runs::spaces_end(bytes, at);
                }
                Class::Word => at = behind_space(bytes, self.word(at)),
                Class::Sign => at = behind_space(bytes, self.sign(at, byte)),
                Class::Open => {
                    at = self.sign(at, byte);
                    self.depth += 1;
                    if byte == b'{' && self.header == Some(self.depth - 1) {
                        (self.at, self.header) = (at, None);
                        return true;
                    }
                }
                Class::Close => {
                    at = self.sign(at, byte);
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {
                    self.at = at;
                    self.rare(byte);
                    at = self.at;
                }
            }
        }
        self.at = at;
        false
    }

    fn rare(&mut self, byte: u8) {
        let start = self.at;
        match self.table.class(byte) {
            Class::Comment if self.comment() => {}
            Class::Comment if self.regex() => self.push_from(Kind::Atom, start, self.at, 0),
            Class::Digit => self.number(),
            Class::Quote => match self.quote() {
                Some(token) => self.push(token),
                None => self.bracket(byte),
            },
            Class::Tick => {
                self.tick();
                self.push_from(Kind::Atom, start, self.at, 0);
            }
            // Before a line break it continues the line.
            Class::Backslash => {
                self.at += 1;
                self.at += memchr(b'\n', self.rest()).map_or(0, |offset| offset + 1);
            }
            _ => self.bracket(byte),
        }
    }

    /// Reads a sign, which may open a bracket: what opens one may also open a text or a comment.
    fn bracket(&mut self, byte: u8) {
        self.at = self.sign(self.at, byte);
        self.depth += u32::from(matches!(byte, b'(' | b'[' | b'{'));
    }

    #[inline]
    fn push_from(&mut self, kind: Kind, start: usize, end: usize, form: u8) {
        self.push(Token { start: start as u32, end: end as u32, kind, form, open: 0, close: 0 });
    }

    #[inline]
    fn push(&mut self, token: Token) {
        if self.has_lines
            && let Some(line) = self.line_start.take()
        {
            self.start_line(line, token.start);
        } else if self.layout.opens {
            self.open_block(token.start);
        }
        self.tokens.push(token);
    }

    /// Reads a word, or the string whose prefix it is, and gives the place behind it.
    #[inline]
    fn word(&mut self, start: usize) -> usize {
        let bytes = self.bytes;
        let mut end = runs::word_end(bytes, start + 1);
        if self.language.has_layout() {
            end += bytes.get(end..).map_or(0, |rest| rest.iter().take_while(|&&byte| byte == b'\'').count());
        }
        if end - start <= 3 && matches!(bytes.get(end), Some(b'"' | b'\'' | b'#')) {
            self.at = end;
            if let Some(token) = self.prefixed(start) {
                self.push(token);
                return self.at;
            }
        }
        let first = bytes.get(start).copied().unwrap_or(0);
        let announces = self.table.announcing.may_hold(first, end - start);
        if announces && bytes.get(start..end) == Some(self.function) {
            self.header = Some(self.depth);
        }
        self.push_from(Kind::Word, start, end, u8::from(announces));
        if self.language.has_layout() {
            self.layout.opens = self.opens_block(start, end);
        }
        end
    }

    #[inline]
    fn sign(&mut self, at: usize, byte: u8) -> usize {
        if !self.language.joins_as.is_empty()
            && let Some(length) = self.joining_sign(at)
        {
            self.push_from(Kind::Sign, at, at + length, self.language.joins);
            return at + length;
        }
        self.push_from(Kind::Sign, at, at + 1, byte);
        at + 1
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    /// Skips a comment, if one stands here.
    fn comment(&mut self) -> bool {
        let length = self.directive().or_else(|| comment_length(self.rest(), self.language));
        self.at += length.unwrap_or(0);
        length.is_some()
    }
}

/// The length of the comment that a text starts with; `None` where it starts with none.
pub fn comment_length(text: &[u8], language: &Language) -> Option<usize> {
    // An attribute of PHP is no comment.
    let is_attribute = language.outside.is_some() && text.starts_with(b"#[");
    if !is_attribute && language.line_comments.iter().any(|start| text.starts_with(start.as_bytes())) {
        let line = memchr(b'\n', text).unwrap_or(text.len());
        let code_ends = language
            .outside
            .as_ref()
            .and_then(|outside| memmem::find(text.get(..line)?, outside.open.as_bytes()));
        return Some(code_ends.unwrap_or(line));
    }
    let mut blocks = language.block_comment.iter().chain(&language.outside);
    let block = blocks.find(|block| text.starts_with(block.open.as_bytes()))?;
    let (open, close) = (block.open.as_bytes(), block.close.as_bytes());
    let (mut at, mut depth) = (open.len(), 1);
    while depth > 0 {
        let rest = text.get(at..).unwrap_or(&[]);
        let Some(end) = memmem::find(rest, close) else { return Some(text.len()) };
        let inner = if block.nested { memmem::find(rest.get(..end).unwrap_or(&[]), open) } else { None };
        if let Some(inner) = inner {
            depth += 1;
            at += inner + open.len();
        } else {
            depth -= 1;
            at += end + close.len();
        }
    }
    Some(at)
}

/// Where the code of a file begins that starts with something else.
fn first_code(text: &str, outside: &BlockComment) -> usize {
    memmem::find(text.as_bytes(), outside.close.as_bytes()).unwrap_or(text.len())
}

/// Most spaces stand alone behind a word or a sign: one is passed over without asking what comes.
#[inline]
fn behind_space(bytes: &[u8], at: usize) -> usize {
    at + usize::from(bytes.get(at) == Some(&b' '))
}

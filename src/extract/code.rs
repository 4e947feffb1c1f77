//! The tokens of one file, as expressions, loops and calls are read: words, signs, brackets that match. Knows tokens;
//! follows no name.

use super::{
    fold::Unit,
    languages::{self, Language},
    lexer::{self, Kind, Table, Token},
    roles::is_migration,
    sketch::Brackets,
};
use crate::source::{Site, SourceId, Sources};
use std::ops::Range;

/// The tokens of one file.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    text: &'a str,
    tokens: &'a [Token],
    brackets: &'a Brackets,
    language: &'static Language,
    source: SourceId,
}

/// The byte ranges of all literals of a file, quotes and prefixes included, as they are lexed.
pub fn literals(path: &str, text: &str) -> Vec<(u32, u32)> {
    let texts = tokens(path, text).into_iter().filter(|token| token.kind == Kind::Text);
    texts.map(|token| (token.start, token.end)).collect()
}

/// A file with spaces in the place of its comments, and each literal filled with what `fill` says of its first byte.
pub(crate) fn blanked(path: &str, text: &str, fill: impl Fn(u32) -> u8) -> String {
    let mut bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
    for token in tokens(path, text) {
        let range = token.start as usize..token.end as usize;
        let (Some(to), Some(from)) = (bytes.get_mut(range.clone()), text.as_bytes().get(range)) else {
            continue;
        };
        if token.kind == Kind::Text { to.fill(fill(token.start)) } else { to.copy_from_slice(from) }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn tokens(path: &str, text: &str) -> Vec<Token> {
    let language = languages::of(path).filter(|language| !language.is_sql);
    language.map_or_else(Vec::new, |language| lexer::lex(text, language, &Table::new(language)))
}

/// Whether a bracket begins with the path of a request, and goes on: what is handed over there, as by `app.get('/ships', …)`, runs
/// when that is asked for.
pub fn is_routed(text: &str, tokens: &[Token], open: usize) -> bool {
    let Some([bracket, path, behind]) = tokens.get(open..open + 3) else { return false };
    let is_path = || {
        let bare = path.text(text).trim_start_matches(|one: char| one.is_ascii_alphabetic());
        bare.strip_prefix(['"', '\'', '`']).is_some_and(|text| text.starts_with('/'))
    };
    bracket.is(b'(') && path.kind == Kind::Text && behind.is(b',') && is_path()
}

impl<'a> Code<'a> {
    /// The tokens of a file.
    pub fn new(sources: &'a Sources, unit: &'a Unit) -> Self {
        Self::of(unit.text(sources), unit)
    }

    /// The tokens of a file with this text.
    pub fn of(text: &'a str, unit: &'a Unit) -> Self {
        Self {
            text,
            tokens: &unit.tokens,
            brackets: &unit.sketch.brackets,
            language: unit.language,
            source: unit.source,
        }
    }

    /// The tokens, as they are.
    pub fn tokens(&self) -> &'a [Token] {
        self.tokens
    }

    /// The tokens of a range, each with its place.
    #[inline]
    pub fn tokens_in(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &'a Token)> + use<'a> {
        let end = range.end.min(self.tokens.len());
        (range.start..).zip(self.tokens.get(range.start..end).unwrap_or(&[]))
    }

    /// How many tokens there are.
    pub fn length(&self) -> usize {
        self.tokens.len()
    }

    /// Whether a token is this sign.
    #[inline]
    pub fn is(&self, at: usize, byte: u8) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(byte))
    }

    /// Whether a token is `=`, and not the first of `==`.
    pub fn assigns(&self, at: usize) -> bool {
        self.is(at, b'=') && !self.is(at + 1, b'=')
    }

    /// The text of a token.
    #[inline]
    pub fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| self.spelling(token))
    }

    /// The text of a token that was looked up already.
    #[inline]
    pub fn spelling(&self, token: &Token) -> &'a str {
        token.text(self.text)
    }

    /// The first byte of a token that was looked up already.
    #[inline]
    pub fn first_byte(&self, token: &Token) -> u8 {
        self.text.as_bytes().get(token.start as usize).copied().unwrap_or(0)
    }

    /// What a token is.
    #[inline]
    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Whether a token is a word.
    #[inline]
    pub fn is_word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    /// Whether a token opens a bracket.
    #[inline]
    pub fn opens(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::opens)
    }

    /// Whether a token closes a bracket.
    #[inline]
    pub fn closes(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::closes)
    }

    /// The bracket that closes the one at a token; the end of the file where there is none.
    pub fn matching(&self, open: usize) -> usize {
        self.brackets.close(open).unwrap_or(self.tokens.len())
    }

    /// The bracket that a token closes.
    pub fn opening(&self, close: usize) -> Option<usize> {
        self.brackets.opening(close)
    }

    /// The brackets around a token, from the inside out, each by the token that opens it.
    pub fn around(&self, at: usize) -> impl Iterator<Item = usize> + use<'a> {
        self.brackets.around(at)
    }

    /// Whether what a bracket holds runs when a request comes.
    pub fn is_routed(&self, open: usize) -> bool {
        is_routed(self.text, self.tokens, open)
    }

    /// Whether a bracket holds what a migration does or undoes: it is handed to what migrates, `execute_migration(|connection| …)`,
    /// or stands beside its name, `{ID: "2", Migrate: func(tx *gorm.DB) error {`. See
    /// <https://pkg.go.dev/github.com/go-gormigrate/gormigrate/v2>.
    pub fn is_of_migration(&self, open: usize) -> bool {
        const FURTHEST: usize = 24;
        if self.is(open, b'(') {
            return open.checked_sub(1).is_some_and(|name| is_migration(self.word(name)))
                && self.has_closure(open);
        }
        if !self.language.receivers || !self.is(open, b'{') {
            return false;
        }
        let before = (open.saturating_sub(FURTHEST)..open).rev();
        let header = before.take_while(|&at| b";{}".iter().all(|&sign| !self.is(at, sign)));
        let starts = header.filter(|&at| self.word(at) == "func").last();
        starts.filter(|&at| at > 1 && self.is(at - 1, b':')).is_some_and(|at| {
            let is_key = ["Migrate", "Rollback"].contains(&self.word(at - 2));
            let list = || self.around(at).find(|&open| self.is(open, b'{'));
            is_key && list().is_some_and(|open| self.word(open + 1) == "ID" && self.is(open + 2, b':'))
        })
    }

    /// Whether an argument of a call is a function that is written there: `|step| …`, `func(tx *sql.Tx) {…}`, `(step) => …`.
    fn has_closure(&self, open: usize) -> bool {
        let (arguments, _) = self.arguments(open);
        arguments.into_iter().any(|(start, end)| {
            let begins = self.is(start, b'|')
                || ["move", "async", "func", "function", "lambda", "fn"].contains(&self.word(start));
            begins || (start..end.min(start + 12)).any(|at| self.is(at, b'=') && self.is(at + 1, b'>'))
        })
    }

    /// What the method at a token is called on.
    pub fn receiver(&self, method: usize) -> Option<usize> {
        let dot = method.checked_sub(1)?;
        let end = if self.is(dot, b'.') {
            dot.checked_sub(1)?
        } else if self.is(dot, b'>') && self.is(dot.checked_sub(1)?, b'-') {
            dot.checked_sub(2)?
        } else {
            return None;
        };
        self.is_word(end).then_some(end)
    }

    /// The token behind a token or, where that opens a bracket, behind the bracket.
    pub fn behind(&self, at: usize) -> usize {
        if self.opens(at) { self.matching(at) + 1 } else { at + 1 }
    }

    /// The ranges of tokens between the commas of a bracket, and the token that closes it.
    pub fn arguments(&self, open: usize) -> (Vec<(usize, usize)>, usize) {
        let close = self.matching(open);
        let mut arguments = Vec::new();
        let mut start = open + 1;
        let mut at = start;
        while at < close {
            if self.opens(at) {
                at = self.matching(at);
            } else if self.is(at, b',') {
                arguments.push((start, at));
                start = at + 1;
            }
            at += 1;
        }
        if start < close {
            arguments.push((start, close));
        }
        (arguments, close)
    }

    /// The place of some tokens.
    pub fn site(&self, range: Range<usize>) -> Option<Site> {
        let last = self.tokens.get(range.end.checked_sub(1)?.max(range.start))?;
        Some(Site { source: self.source, start: self.tokens.get(range.start)?.start, end: last.end })
    }

    /// Whether a token is the first of its line.
    pub fn is_on_new_line(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let (Some(before), Some(token)) = (before, self.tokens.get(at)) else { return true };
        self.text.get(before.end as usize..token.start as usize).is_some_and(|between| between.contains('\n'))
    }

    /// The language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// Whether a token is a character, and no number and no lifetime.
    pub fn is_character(&self, at: usize) -> bool {
        let word = self.word(at);
        self.kind(at) == Some(Kind::Atom) && word.len() > 2 && word.starts_with('\'') && word.ends_with('\'')
    }

    /// Whether indentation makes the blocks.
    pub fn indented(&self) -> bool {
        self.language.indented
    }

    /// Whether the usual drivers call functions of this name within a transaction.
    pub fn is_transactional(&self, name: usize) -> bool {
        self.language.transactional.contains(&self.word(name))
    }

    /// Whether the head of a loop stands in parentheses.
    pub fn parenthesised(&self) -> bool {
        self.language.parenthesised
    }

    /// Whether the closure of a method runs once per element.
    pub fn repeats(&self, method: &str) -> bool {
        self.language.loop_methods.contains(&method)
    }

    /// Whether values are bound one by one, as arguments of the call that runs a statement.
    pub fn one_by_one(&self) -> bool {
        self.language.receivers || self.language.parenthesised
    }

    /// Whether the type that a function is a method of stands in front of its name, as in Go.
    pub fn has_receivers(&self) -> bool {
        self.language.receivers
    }

    /// Whether a line ends a statement without indentation, as in Go.
    pub fn by_lines(&self) -> bool {
        self.language.breaks
    }
}

//! The tokens of the file of a spot. An `impl` of [`Folder`], apart for its length.

use super::{Folded, Folder, Spot};
use crate::extract::{
    code::Code,
    languages::{self, Language},
    lexer::{Kind, Table, Token},
    sketch::NOWHERE,
    text::Text,
};
use crate::source::{Source, SourceId};
use std::ops::Range;

impl<'a> Folder<'a> {
    /// The tokens of a file, for who asks for many of them.
    #[inline]
    pub fn code(&self, spot: Spot) -> Option<Code<'a>> {
        self.units.get(spot.unit).map(|unit| Code::new(self.sources, unit))
    }

    /// The tokens of a file.
    pub fn tokens(&self, spot: Spot) -> &'a [Token] {
        self.units.get(spot.unit).map_or(&[], |unit| unit.tokens.as_slice())
    }

    /// The language of a file.
    pub fn language(&self, spot: Spot) -> Option<&'static Language> {
        self.units.get(spot.unit).map(|unit| unit.language)
    }

    /// The table of a language.
    pub(super) fn table(&self, language: &'static Language) -> Option<&'a Table> {
        self.tables.get(languages::number(language)?)
    }

    pub(super) fn source(&self, spot: Spot) -> SourceId {
        self.units.get(spot.unit).map_or(SourceId(u32::MAX), |unit| unit.source)
    }

    /// Whether a macro stands between literals, or behind one.
    pub(super) fn is_macro(&self, spot: Spot, at: usize) -> bool {
        let typed = self.language(spot).is_some_and(|language| language.declares.contains(&"define"));
        let word = self.word(spot, at);
        typed
            && self.kind(spot, at) == Some(Kind::Word)
            && word.len() > 1
            && !word.contains(char::is_lowercase)
            || word.starts_with("PRI") && typed
    }

    /// A text that stands for a token.
    pub(super) fn exactly(&self, value: &str, spot: Spot, at: usize) -> Text {
        let mut text = Text::default();
        text.push_at(value, self.source(spot), self.tokens(spot).get(at).map_or(0, |token| token.start));
        text
    }

    /// The text of a token.
    pub fn word(&self, spot: Spot, at: usize) -> &'a str {
        let Some(unit) = self.units.get(spot.unit) else { return "" };
        let (source, token) = (self.sources.get(unit.source), unit.tokens.get(at));
        source.zip(token).map_or("", |(source, token)| token.text(source.text()))
    }

    /// The tokens of a range that are this word.
    pub fn places_of(&self, spot: Spot, range: Range<usize>, word: &str) -> impl Iterator<Item = usize> {
        let text = self.units.get(spot.unit).and_then(|unit| self.sources.get(unit.source)).map(Source::text);
        let tokens = self.tokens(spot).get(range.clone()).unwrap_or_default();
        // Most are of another length, which costs less to see.
        let is_one = move |token: &Token| {
            (token.end - token.start) as usize == word.len()
                && text.is_some_and(|text| token.text(text) == word)
        };
        tokens.iter().zip(range).filter(move |(token, _)| is_one(token)).map(|(_, at)| at)
    }

    /// Whether a token is this sign.
    pub fn is(&self, spot: Spot, at: usize, byte: u8) -> bool {
        self.tokens(spot).get(at).is_some_and(|token| token.is(byte))
    }

    /// Whether a token is `=`, and not the first of `==`.
    pub fn assigns(&self, spot: Spot, at: usize) -> bool {
        self.code(spot).is_some_and(|code| code.assigns(at))
    }

    /// What a token is.
    pub fn kind(&self, spot: Spot, at: usize) -> Option<Kind> {
        self.tokens(spot).get(at).map(|token| token.kind)
    }

    /// What stands between brackets, as a text.
    pub(super) fn quoted(&self, spot: Spot, open: usize) -> Folded {
        let close = self.matching(spot, open);
        let end = |at: usize| self.tokens(spot).get(at).map_or(0, |token| token.end);
        let (from, to) = (end(open), self.tokens(spot).get(close).map_or(0, |token| token.start));
        let source = self.source(spot);
        let content =
            self.sources.get(source).and_then(|source| source.text().get(from as usize..to as usize));
        (vec![Text::exact(content.unwrap_or(""), source, from)], close + 1)
    }

    /// The next word of this spelling at the same bracket depth.
    pub(super) fn find_word(&self, spot: Spot, from: usize, word: &str) -> Option<usize> {
        let code = self.code(spot)?;
        let mut at = from;
        while at < from + 64 {
            match code.kind(at)? {
                Kind::Sign if code.opens(at) => at = code.matching(at),
                Kind::Sign if code.closes(at) => return None,
                Kind::Line => return None,
                Kind::Word if code.word(at) == word => return Some(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Whether a token opens a bracket.
    pub fn opens(&self, spot: Spot, at: usize) -> bool {
        self.code(spot).is_some_and(|code| code.opens(at))
    }

    /// The bracket that closes the one at a token; the end of the file where there is none.
    pub fn matching(&self, spot: Spot, open: usize) -> usize {
        self.code(spot).map_or(0, |code| code.matching(open))
    }

    /// The ranges of tokens between the commas of a bracket, and the token that closes it.
    pub fn arguments(&self, spot: Spot, open: usize) -> (Vec<(usize, usize)>, usize) {
        self.code(spot).map_or_else(|| (Vec::new(), 0), |code| code.arguments(open))
    }

    /// The type that the function of a spot is a method of; empty where it is none.
    pub fn owner(&self, spot: Spot) -> &'a str {
        let function =
            self.units.get(spot.unit).and_then(|unit| unit.sketch.functions.get(spot.function as usize));
        match function.map(|function| function.owner) {
            Some(owner) if owner != NOWHERE => self.word(spot, owner as usize),
            _ => "",
        }
    }

    /// The same, where it is defined outside of that as well: `void Store::put() {`.
    pub fn type_of_method(&self, spot: Spot) -> &'a str {
        let function =
            self.units.get(spot.unit).and_then(|unit| unit.sketch.functions.get(spot.function as usize));
        let Some(name) = function.map(|function| function.name as usize).filter(|name| *name > 2) else {
            return self.owner(spot);
        };
        let is_outside = self.is(spot, name - 1, b':') && self.is(spot, name - 2, b':');
        if is_outside && self.kind(spot, name - 3) == Some(Kind::Word) {
            return self.word(spot, name - 3);
        }
        self.owner(spot)
    }
}

//! Functions that are equations, as in Haskell: `name argument = value`. An `impl` of [`Walker`], apart for its length.

use super::{ScopeKind, Walker};
use crate::extract::{languages::SinkKind, lexer::Kind};

/// The most tokens in front of a text among which its function is looked for.
const LONGEST: usize = 40;

impl Walker<'_> {
    /// Enters the function whose name starts a line at the level of the file. What takes nothing and only stands for a value is
    /// none.
    pub(super) fn equation(&mut self, name: usize) {
        let word = self.slice(name);
        let is_name = word.starts_with(|first: char| first.is_lowercase() || first == '_');
        let declares = self.is(name + 1, b':') || self.is(name + 1, b',');
        if self.kind(name) != Some(Kind::Word)
            || !is_name
            || declares
            || self.language.keywords.contains(&word)
        {
            return;
        }
        if self.is(name + 1, b'=') && !self.acts(name + 2) {
            return;
        }
        let index = self.add_function(name as u32);
        let is_test = self.found.functions.get(index as usize).is_some_and(|function| function.is_test);
        self.enter(ScopeKind::Function(index), 0, is_test);
        self.pending = super::Pending::default();
    }

    /// Whether a value does something: it is a block, a function, or what runs SQL.
    fn acts(&self, value: usize) -> bool {
        let is_within = |at: &usize| {
            let token = self.tokens.get(*at);
            token.is_some_and(|token| token.kind != Kind::Line || token.end > token.start)
        };
        let is_sink = |word: &str| self.language.sinks.iter().any(|(name, _)| *name == word);
        let acts = |at: usize| {
            self.is(at, b'\\')
                || (self.kind(at) == Some(Kind::Word) && (self.slice(at) == "do" || is_sink(self.slice(at))))
        };
        (value..self.tokens.len()).take_while(is_within).any(acts)
    }

    /// Where the call starts that makes one text of the list that a bracket opens, where that stands in front: `unwords [`,
    /// `T.intercalate ", " [`.
    pub(super) fn uniting(&self, open: usize) -> Option<usize> {
        let before = open.checked_sub(1).filter(|_| self.language.has_layout() && self.is(open, b'['))?;
        let function = if self.kind(before) == Some(Kind::Text) { before.checked_sub(1)? } else { before };
        let name = self.slice(function);
        let is_one = self.language.joinings.iter().any(|joining| joining.name == name);
        is_one.then(|| self.term_before(function + 1).unwrap_or(function))
    }

    /// The function that fills the text at a token, in front of it: `printf "…"`.
    pub(super) fn filling(&self, literal: usize) -> Option<usize> {
        let function = literal.checked_sub(1).filter(|_| self.language.has_layout())?;
        let name = self.slice(function);
        self.language.formats.iter().any(|format| format.name == name).then_some(function)
    }

    /// The function that is given what starts at a token, and others in front of that: `execute connection "…"`.
    pub(super) fn function_given(&self, start: usize) -> Option<(u32, SinkKind)> {
        let mut at = start;
        let mut found = None;
        while start - at < LONGEST {
            let Some(before) = at.checked_sub(1) else { break };
            let token = self.tokens.get(before)?;
            let is_path = self.is(at, b'.') || (self.is(before, b'.') && self.kind(at) == Some(Kind::Word));
            match token.kind {
                Kind::Word if self.language.layout.contains(&self.slice(before)) => break,
                Kind::Word if !self.is(at, b'.') => found = self.known_sink(before).or(found),
                Kind::Word | Kind::Atom | Kind::Text => {}
                Kind::Sign if is_path => {}
                Kind::Sign if token.closes() => {
                    at = self.opening(before)?;
                    continue;
                }
                _ => break,
            }
            at = before;
        }
        found
    }
}

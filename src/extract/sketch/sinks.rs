//! The calls around an expression that run SQL. An `impl` of [`Walker`], apart for its length.

use super::Walker;
use crate::extract::{languages::SinkKind, lexer::Kind};

impl Walker<'_> {
    /// The nearest call around an expression that is known to run SQL.
    pub(super) fn sink_around(&self, start: usize) -> Option<(u32, SinkKind)> {
        let before = start.checked_sub(1)?;
        if self.language.has_layout() {
            return self.function_given(start);
        }
        // sql`…`, `command.CommandText = "…"`, and calls without parentheses.
        let joined =
            self.tokens.get(before).map(|token| token.end) == self.tokens.get(start).map(|token| token.start);
        let name = if self.is(before, b'=') { before.checked_sub(1)? } else { before };
        let named = (self.language.arrows && joined) || self.language.commands || name != before;
        if named
            && self.kind(name) == Some(Kind::Word)
            && let Some(sink) = self.known_sink(name)
            && (name == before || self.slice(name).starts_with(|first: char| first.is_ascii_uppercase()))
        {
            return Some(sink);
        }
        let mut openers =
            self.openers.iter().rev().map(|&opener| opener as usize).filter(|&opener| opener < start);
        openers.by_ref().take(4).find_map(|opener| self.sink_at(opener))
    }

    /// The call that a parenthesis opens, if it runs SQL: `query(`, `query!(`, `query_as::<_, T>(`.
    fn sink_at(&self, opener: usize) -> Option<(u32, SinkKind)> {
        let mut name = opener.checked_sub(1)?;
        // `Statement rows("…", db)`, `Statement rows{"…"}`: the constructor of the type.
        if let Some(class) = self.language.constructs().then(|| name.checked_sub(1)).flatten()
            && [class, name].iter().all(|&at| self.kind(at) == Some(Kind::Word) && self.slice(at) != "final")
            && !class.checked_sub(1).is_some_and(|before| matches!(self.slice(before), "class" | "struct"))
            && let Some(kind) = self.language.sink(self.slice(class))
        {
            return Some((class as u32, kind));
        }
        // What stands in front of a block is no call.
        if self.is(opener, b'{') && !self.is(name, b'!') {
            return None;
        }
        if self.is(name, b'!') {
            name = name.checked_sub(1)?;
        }
        if self.is(name, b'>') && self.language.types_behind_names() {
            name = self.before_types(name)?;
        } else if self.is(name, b'>') {
            let floor = name.saturating_sub(24);
            while name > floor && !(self.is(name, b':') && self.is(name - 1, b':')) {
                name -= 1;
            }
            name = name.checked_sub(2)?;
        }
        if self.kind(name) != Some(Kind::Word) {
            return None;
        }
        self.language.sink(self.slice(name)).map(|kind| (name as u32, kind))
    }

    /// The name at a token, if it is that of a function of a driver that runs SQL.
    pub(super) fn known_sink(&self, name: usize) -> Option<(u32, SinkKind)> {
        let word = self.slice(name);
        self.language.sinks.iter().find(|(sink, _)| *sink == word).map(|&(_, kind)| (name as u32, kind))
    }
}

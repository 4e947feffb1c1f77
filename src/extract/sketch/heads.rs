//! Heads: names that may stand for the beginning of SQL where more is put behind them, or what they leave open is put in:
//! `NAME + " WHERE …"`, `NAME " WHERE …"`, `NAME % value`, `format(NAME, value)`, `NAME.replace("{table}", value)`, `text(NAME, value)`; and parameters that clauses are put behind.
//! Which of them do is told once the names of the tree are known. An `impl` of [`Walker`], apart for its length.

use super::{Candidate, ScopeKind, Walker};
use crate::extract::{
    constants::{REPLACES, is_marker},
    lexer::Kind,
    sql::begins_clause,
};

/// The most arguments among which the text with holes is sought.
const FIRST: usize = 3;

/// How many tokens behind what is put behind a name its use is sought.
const MOST_LATER: usize = 300;

impl Walker<'_> {
    /// Takes note of the names that an expression begins with which is put together around the word at a token; `sign` stands
    /// behind it.
    pub(super) fn heads(&mut self, at: usize, sign: u8) {
        if self.in_test() {
            return;
        }
        let joins = self.language.joins;
        if sign == b'(' {
            self.template(at);
            return;
        }
        let is_own = || at > 1 && self.is(at - 1, b'=') && self.slice(at - 2) == self.slice(at);
        let grows = sign == joins && self.is(at + 2, b'=');
        // `query += " WHERE …"`, `query = query + " WHERE …"`
        let is_given_more = self.begins_clause(at + if grows { 3 } else { 2 }) && (grows || is_own());
        if is_given_more {
            self.other_name(at);
            if let Some(argument) = self.handed_on(at) {
                self.add_head(argument, argument);
                return;
            }
        }
        if !grows
            && self.is_gone_on(at, sign)
            && let Some(start) = self.head_start(at)
        {
            self.add_head(start, at);
            if sign == joins && self.begins_clause(at + 2) {
                self.other_name(at);
            }
        }
    }

    /// Whether a text begins with what goes on with a statement.
    fn begins_clause(&self, at: usize) -> bool {
        let token = self.tokens.get(at).filter(|token| token.kind == Kind::Text);
        token.is_some_and(|token| {
            begins_clause(token.text(self.text).get(token.open as usize..).unwrap_or(""))
        })
    }

    /// Where a name is an argument by itself, or what is returned, behind a place in its function.
    fn handed_on(&self, at: usize) -> Option<usize> {
        let word = self.slice(at);
        let body = self.scopes.iter().rev().find(|scope| matches!(scope.kind, ScopeKind::Function(_)))?;
        let mut depth = self.openers.len();
        let is_on = |&one: &usize| {
            if b"({[".iter().any(|&sign| self.is(one, sign)) {
                depth += 1;
            } else if b")}]".iter().any(|&sign| self.is(one, sign)) {
                depth = depth.saturating_sub(1);
            }
            let is_within = self.language.indented || depth > body.level as usize;
            one < self.tokens.len() && is_within && self.slice(one) != self.language.function
        };
        let mut later = (at + 1..at + MOST_LATER).take_while(is_on);
        later.find(|&one| {
            let is_alone = |sign: &[u8]| sign.iter().any(|&sign| self.is(one + 1, sign));
            self.kind(one) == Some(Kind::Word)
                && self.slice(one) == word
                && ((self.is(one - 1, b'(') || self.is(one - 1, b',')) && is_alone(b"),")
                    || self.slice(one - 1) == "return" && !is_alone(b".("))
        })
    }

    /// Whether more is put behind the name at a token, or into what it stands for.
    fn is_gone_on(&self, at: usize, sign: u8) -> bool {
        let language = self.language;
        // `NAME " WHERE …"`, but not `#define NAME "…"`
        if sign == 0 {
            return at > 0 && self.slice(at - 1) != "define";
        }
        if sign == language.joins {
            let next = self.kind(at + 2);
            let is_value = self.is(at + 2, b'(') || (sign == b'.' && self.is(at + 2, b'$'));
            return is_value || matches!(next, Some(Kind::Word | Kind::Text));
        }
        let fills = || language.fills(self.slice(at + 2)) && self.is(at + 3, b'(');
        (language.percent_operator && sign == b'%' && !self.is(at + 2, b'='))
            || (sign == b'.' && (fills() || self.replaces(at + 2)))
    }

    /// Whether the word at a token is called to put something in the place of a marker.
    fn replaces(&self, at: usize) -> bool {
        let marker = self.tokens.get(at + 2).filter(|old| self.is(at + 1, b'(') && old.kind == Kind::Text);
        marker.is_some_and(|old| {
            let content = old.text(self.text).get(old.open as usize..).unwrap_or("");
            REPLACES.contains(&self.slice(at)) && is_marker(content.trim_end_matches(['"', '\'', '`', '#']))
        })
    }

    /// Whether the word at a token is a function that fills a text.
    fn formats(&self, at: usize) -> bool {
        let word = self.slice(at);
        self.language.formats.iter().any(|format| !format.bang && format.name == word)
    }

    /// `format(NAME, value)`: each name in front of the first text may be the one that is filled; of what is called besides, the first,
    /// `text(NAME, value)`.
    fn template(&mut self, name: usize) {
        let formats = self.formats(name) && !self.language.percent_operator;
        let word = self.slice(name);
        if !formats && (self.kind(name + 2) != Some(Kind::Word) || self.language.sink(word).is_some()) {
            return;
        }
        let Some(start) = self.head_start(name) else { return };
        let mut at = name + 2;
        for _ in 0..FIRST {
            let from = at;
            while self.kind(at) == Some(Kind::Word) && (self.is(at + 1, b'.') || self.is(at + 1, b':')) {
                at += if self.is(at + 1, b'.') { 2 } else { 3 };
            }
            if self.kind(at) != Some(Kind::Word) || at > from + 8 {
                return;
            }
            if self.is(at + 1, b',') || formats && self.is(at + 1, b')') {
                self.add_head(start, at);
                if formats {
                    self.other_name(at);
                }
            }
            if !formats || !self.is(at + 1, b',') {
                return;
            }
            at += 2;
        }
    }

    /// `query := NAME`, where the name at a token is that other name: what is put in goes into what it stands for.
    fn other_name(&mut self, at: usize) {
        let (function, _) = self.place();
        let word = self.slice(at);
        let own = self.found.bindings.iter().rev().take_while(|one| one.function == function);
        let value =
            own.filter(|one| self.slice(one.name as usize) == word).map(|one| one.value as usize).last();
        let is_new = |&value: &usize| self.found.heads.iter().all(|one| one.literal as usize != value);
        if let Some(value) = value.filter(|value| self.is_lone(*value) && is_new(value)) {
            self.add_head(value, value);
        }
    }

    /// Where the path of names starts that ends at a token; `None` where it is a part of what stands in front of it.
    fn head_start(&self, at: usize) -> Option<usize> {
        let start = self.term_before(at + 1)?;
        let is_path = (start..at)
            .all(|one| self.kind(one) == Some(Kind::Word) || self.is(one, b'.') || self.is(one, b':'));
        let goes_on = start.checked_sub(1).is_some_and(|before| {
            self.is(before, self.language.joins)
                || b"*/-%.$>".iter().any(|&sign| self.is(before, sign))
                || (self.language.adjacent && self.kind(before) == Some(Kind::Text))
        });
        (is_path && !goes_on).then_some(start)
    }

    fn add_head(&mut self, start: usize, name: usize) {
        if self.found.heads.last().is_some_and(|last| last.literal as usize == name) {
            return;
        }
        let (function, loop_depth) = self.place();
        let loop_depth = loop_depth.saturating_add(u8::from(self.in_loop_closure()));
        let callee = self.sink_around(start);
        self.found.heads.push(Candidate {
            start: start as u32,
            literal: name as u32,
            function,
            loop_depth,
            callee,
            is_test: false,
            is_likely: true,
            is_named: true,
        });
    }
}

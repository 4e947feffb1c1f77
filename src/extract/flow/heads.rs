//! The heads of loops that stand in parentheses, and the functions that methods such as `forEach` run once per element.
//! An `impl` of [`Code`], apart for its length.

use super::{
    assignments::pattern,
    loops::{Around, LoopSource},
};
use crate::extract::{code::Code, lexer::Kind};

impl<'a> Code<'a> {
    /// `for (const x of all)`, `for (T x : all)`, `for (let i = 0; …)`, `foreach ($all as $x)`: the names of the element, and
    /// what is walked over.
    pub(super) fn parenthesised_head(&self, start: usize, head: usize) -> (Vec<&'a str>, LoopSource) {
        let open = (start + 1..head).find(|&at| self.is(at, b'(')).unwrap_or(start);
        let close = self.matching(open).min(head);
        if let Some(end) = (open + 1..close).find(|&at| self.is(at, b';')) {
            let assigned = (open + 1..end).find(|&at| self.is(at, b'=')).unwrap_or(end);
            return (pattern(*self, open + 1..assigned), LoopSource::Range);
        }
        let parts = |at: &usize| matches!(self.word(*at), "of" | "in" | "as") || self.is(*at, b':');
        let Some(split) = (open + 2..close).find(parts) else { return (Vec::new(), LoopSource::Condition) };
        if self.word(split) == "as" {
            return (pattern(*self, split + 1..close), self.source(open + 1, split));
        }
        (pattern(*self, open + 1..split), self.source(split + 1, close))
    }

    /// `while (rows.next())`, `while (reader.Read())`, `while ($row = $result->fetch())`, `while (sqlite3_step(stmt) == …)`: the
    /// names that stand for the row.
    pub(super) fn rows_head(&self, start: usize, head: usize) -> Option<Vec<&'a str>> {
        const NEXT: [&str; 7] =
            ["next", "Read", "ReadAsync", "moveToNext", "executeStep", "step", "sqlite3_step"];
        let called = (start..head).find(|&at| {
            let word = self.word(at);
            self.is(at + 1, b'(') && (NEXT.contains(&word) || word.starts_with("fetch"))
        })?;
        if let Some(assigned) = (start..called).find(|&at| self.assigns(at)) {
            return Some(pattern(*self, start + 1..assigned));
        }
        if self.word(called) == "sqlite3_step" {
            return Some(vec![self.word(called + 2)]);
        }
        self.receiver(called).map(|owner| vec![self.word(owner)])
    }

    /// Whether a list is written out, of texts: `new[] { "a", "b" }`, `listOf("a", "b")`, `("a", "b")`.
    pub(super) fn is_written(&self, from: usize, to: usize) -> bool {
        const MAKES: [&str; 7] = ["of", "listOf", "setOf", "arrayOf", "asList", "array", "list"];
        let Some(close) = to.checked_sub(1).filter(|&close| self.closes(close)) else { return false };
        let Some(open) = self.opening(close).filter(|&open| open >= from) else { return false };
        let before = if open > from { self.word(open - 1) } else { "" };
        let makes = !self.is(open, b'(') || open == from || MAKES.contains(&before);
        let is_text = |at: usize| self.kind(at) == Some(Kind::Text);
        makes && close > open + 1 && (open + 1..close).all(|at| is_text(at) || self.is(at, b','))
    }

    /// `all.forEach { x -> … }`: the method's name stands at a token.
    pub(super) fn element_head(&self, method: usize, head: usize) -> (Vec<&'a str>, LoopSource) {
        let body = if self.is(head, b'{') { head } else { head + 1 };
        let names = body + 1..body + 12;
        let bars = || names.clone().filter(|&at| self.is(at, b'|'));
        let end = match (self.is(body + 1, b'|'), bars().nth(1)) {
            (true, Some(end)) => Some(end),
            _ => names
                .clone()
                .find(|&at| self.word(at) == "in" || (self.is(at, b'-') && self.is(at + 1, b'>'))),
        };
        // Kotlin's name for an element that is given none, and Ruby's.
        let items = end.map_or_else(|| vec!["it"], |end| pattern(*self, body + 1..end));
        let dot = method.saturating_sub(1);
        (items, self.source(self.chain_start(dot), dot))
    }

    /// `all.forEach((x) => …)`: the parenthesis of the call stands at a token.
    pub(super) fn arrow_element(&self, open: usize, method: usize) -> Option<Around<'a>> {
        let dot = method.checked_sub(1).filter(|&dot| self.is(dot, b'.'))?;
        let mut first = open + 1;
        while matches!(self.word(first), "async" | "function") {
            first += 1;
        }
        let close = if self.is(first, b'(') { self.matching(first) } else { first + 1 };
        let body = (close..close + 4).find(|&at| self.is(at, b'{') || self.is(at, b'>'))?;
        let items =
            if self.is(first, b'(') { pattern(*self, first + 1..close) } else { vec![self.word(first)] };
        let start = self.chain_start(dot);
        let source = self.source(start, dot);
        Some(Around {
            source,
            depth: 1,
            items,
            range: start..self.matching(open),
            body,
            outermost: start..body,
        })
    }
}

//! Which names are given a value where, within a function: declarations, assignments, the arms of a `match`.

use crate::extract::{
    code::Code,
    lexer::{Kind, Token},
};
use std::ops::Range;

/// How many tokens in front of its use a variable is looked for.
const NEAR: usize = 400;

/// Words that stand in patterns and name no value.
const NO_NAMES: [&str; 12] =
    ["mut", "ref", "self", "box", "if", "async", "await", "err", "ok", "let", "_", "in"];

/// Names, and the expression whose value they get.
pub(super) struct Assignment<'a> {
    pub names: Vec<&'a str>,
    pub value: Range<usize>,
    /// The token of the `=`, or of what stands for it.
    pub at: usize,
    /// Whether the names are new here.
    pub declares: bool,
}

/// All assignments in a range of tokens, in order.
pub(super) fn assignments(code: Code<'_>, range: Range<usize>) -> Vec<Assignment<'_>> {
    code.tokens_in(range).filter_map(|(at, token)| code.assignment(at, token)).collect()
}

/// The names that a pattern binds.
pub(super) fn pattern(code: Code<'_>, range: Range<usize>) -> Vec<&str> {
    range
        .filter(|&at| code.is_word(at) && !code.is(at + 1, b'(') && !code.is(at + 1, b'.'))
        .map(|at| code.word(at))
        .filter(|word| {
            !NO_NAMES.contains(word) && !word.starts_with(|first: char| first.is_ascii_uppercase())
        })
        .collect()
}

impl<'a> Code<'a> {
    #[inline]
    fn assignment(&self, at: usize, token: &Token) -> Option<Assignment<'a>> {
        match token.kind {
            Kind::Sign if token.form == b'=' => self.equals(at),
            // As long as one of these words.
            Kind::Word if matches!(token.end - token.start, 2 | 4 | 5 | 10) => match self.spelling(token) {
                "match" => self.arms(at),
                "Scan" | "StructScan" => self.scan(at),
                "as" => self.with(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// `name = value`, `let pattern = value`, `name := value`, `a, b = value`.
    fn equals(&self, at: usize) -> Option<Assignment<'a>> {
        let before = at.checked_sub(1)?;
        let compares = self.is(at + 1, b'=') || self.is(at + 1, b'>');
        // `>` may also end the type of a declaration, with a space behind.
        let joined = self.tokens().get(before).map(|token| token.end)
            == self.tokens().get(at).map(|token| token.start);
        if compares || (joined && b"=!<>+-*/%&|^.~".iter().any(|&byte| self.is(before, byte))) {
            return None;
        }
        let walrus = self.is(before, b':');
        let end = if walrus { before } else { at };
        let value = |in_header: bool| at + 1..self.value_end(at + 1, in_header);
        if let Some(start) = self.declared(end) {
            let in_header = start.checked_sub(1).is_some_and(|at| matches!(self.word(at), "if" | "while"));
            let names = pattern(*self, start + 1..self.type_start(start + 1, end));
            return Some(Assignment { names, value: value(in_header), at, declares: true });
        }
        let mut names = Vec::new();
        let mut name = end.checked_sub(1)?;
        while self.is_word(name) {
            names.push(self.word(name));
            let Some(comma) = name.checked_sub(1).filter(|&comma| self.is(comma, b',')) else { break };
            name = comma.checked_sub(1)?;
        }
        names.retain(|name| !NO_NAMES.contains(name));
        let in_header = walrus && matches!(self.word(name.saturating_sub(1)), "if" | "for" | "switch");
        (!names.is_empty()).then(|| Assignment { names, value: value(in_header), at, declares: walrus })
    }

    /// The `let` of a declaration whose `=` stands at a token.
    fn declared(&self, end: usize) -> Option<usize> {
        for at in (end.saturating_sub(32)..end).rev() {
            // In Go a line ends a statement.
            if at + 1 < end && self.starts_line(at + 1) {
                return None;
            }
            if matches!(self.word(at), "let" | "const" | "var") {
                return Some(at);
            }
            if self.is(at, b';') || self.is(at, b'=') || (self.is(at, b'{') && !self.is(end - 1, b'}')) {
                return None;
            }
        }
        None
    }

    /// Where the type of a declaration starts, or its end.
    fn type_start(&self, from: usize, end: usize) -> usize {
        let mut depth = 0_u32;
        for at in from..end {
            if self.opens(at) {
                depth += 1;
            } else if self.closes(at) {
                depth = depth.saturating_sub(1);
            } else if depth == 0 && self.is(at, b':') && !self.is(at + 1, b':') && !self.is(at - 1, b':') {
                return at;
            }
        }
        end
    }

    /// The token behind the expression that starts at a token.
    pub(super) fn value_end(&self, from: usize, in_header: bool) -> usize {
        let length = self.length();
        let mut at = from;
        while at < length {
            let ends = self.closes(at)
                || self.is(at, b';')
                || (self.is(at, b'{') && in_header)
                || self.kind(at) == Some(Kind::Line)
                || (self.word(at) == "else" && !self.is(at - 1, b'}'))
                || (at > from && self.starts_line(at));
            if ends {
                return at;
            }
            at = self.behind(at);
        }
        length
    }

    /// Whether a token starts a statement because it starts a line, as in Go.
    fn starts_line(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|_| self.by_lines()) else { return false };
        let goes_on = b",.+-*/&|=(".iter().any(|&byte| self.is(before, byte));
        !goes_on && self.is_on_new_line(at)
    }

    /// `match value { pattern => …, }`
    fn arms(&self, at: usize) -> Option<Assignment<'a>> {
        let open = self.value_end(at + 1, true);
        if !self.is(open, b'{') {
            return None;
        }
        let close = self.matching(open);
        let (mut names, mut start) = (Vec::new(), open + 1);
        while let Some(arrow) = (start..close).find(|&at| self.is(at, b'=') && self.is(at + 1, b'>')) {
            names.extend(pattern(*self, start..arrow));
            let body = arrow + 2;
            start = if self.is(body, b'{') { self.matching(body) + 1 } else { self.arm_end(body, close) };
        }
        (!names.is_empty()).then(|| Assignment { names, value: at + 1..open, at, declares: true })
    }

    /// The token behind the expression of an arm.
    fn arm_end(&self, from: usize, close: usize) -> usize {
        let mut at = from;
        while at < close && !self.is(at, b',') {
            at = self.behind(at);
        }
        at + 1
    }

    /// `row.Scan(&name, &other.field)`, the second where the function makes the other.
    fn scan(&self, at: usize) -> Option<Assignment<'a>> {
        if !self.is(at + 1, b'(') || !self.is(at.checked_sub(1)?, b'.') {
            return None;
        }
        let (targets, _) = self.arguments(at + 1);
        let targets = targets.into_iter().filter(|&(start, _)| self.is(start, b'&'));
        let is_own = |name: usize| {
            let makes = |at: usize| self.word(at) == self.word(name) && self.is_made(at);
            !self.is(name + 1, b'.') || (at.saturating_sub(NEAR)..at).any(makes)
        };
        let targets = targets.map(|(start, _)| start + 1).filter(|&name| is_own(name));
        let names: Vec<&str> = targets.map(|name| self.word(name)).collect();
        let start = (at.saturating_sub(80)..at).rev().find(|&at| self.starts_line(at) || self.is(at, b'='));
        (!names.is_empty()).then(|| Assignment { names, value: start.unwrap_or(at)..at, at, declares: false })
    }

    /// Whether a name is declared at a token: `var name Type`, `name := value`.
    fn is_made(&self, at: usize) -> bool {
        let is_var = at.checked_sub(1).is_some_and(|before| self.word(before) == "var");
        is_var || (self.is(at + 1, b':') && self.is(at + 2, b'='))
    }

    /// `with value as name:`
    fn with(&self, at: usize) -> Option<Assignment<'a>> {
        if !self.indented() || !self.is_word(at + 1) {
            return None;
        }
        let start = (at.saturating_sub(60)..at).rev().find(|&at| self.word(at) == "with")?;
        Some(Assignment { names: vec![self.word(at + 1)], value: start + 1..at, at, declares: true })
    }
}

//! A statement's text and the places in it: from the parser's lines and columns to bytes, and from the part
//! of a condition that the parser has a place for to all of it.

use super::{
    respell,
    tokens::{Token, tokens},
};
use sqlparser::tokenizer::{Location, Span};
use std::ops::Range;

/// The words that stand between conditions, and around them.
const BETWEEN: &[&str] = &[
    "AND",
    "ASC",
    "BY",
    "CROSS",
    "DESC",
    "DO",
    "ELSE",
    "END",
    "EXCEPT",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "INNER",
    "INTERSECT",
    "JOIN",
    "LEFT",
    "LIMIT",
    "NATURAL",
    "NOT",
    "NULLS",
    "ON",
    "OR",
    "ORDER",
    "RETURNING",
    "RIGHT",
    "SELECT",
    "SET",
    "THEN",
    "UNION",
    "WHEN",
    "WHERE",
    "WINDOW",
];

pub(super) struct Text<'a> {
    /// As given.
    pub sql: &'a str,
    /// As parsed: every byte that means something is where it was.
    pub respelt: String,
    pub tokens: Vec<Token<'a>>,
    /// For each token that is a parenthesis, the token that is its other one.
    partners: Vec<Option<usize>>,
    /// How deep parentheses nest.
    pub depth: usize,
    /// Where each line of `respelt` starts, and whether its bytes are its characters.
    lines: Vec<(usize, bool)>,
}

impl<'a> Text<'a> {
    pub fn new(sql: &'a str) -> Self {
        let tokens: Vec<Token<'a>> = tokens(sql).collect();
        let respelt = respell::respell(sql, &tokens);
        let (partners, depth) = partners(&tokens);
        let mut next = 0;
        let line = |line: &str| {
            let start = next;
            next += line.len();
            (start, line.is_ascii())
        };
        let lines = respelt.split_inclusive('\n').map(line).collect();
        Self { sql, respelt, tokens, partners, depth, lines }
    }

    /// The text of a range; empty where it is not one.
    pub fn slice(&self, range: Range<usize>) -> &'a str {
        self.sql.get(range).unwrap_or("")
    }

    /// The bytes of a place of the parser; `None` where it has none.
    pub fn range(&self, span: Span) -> Option<Range<usize>> {
        let range = self.offset(span.start)?..self.offset(span.end)?;
        (range.start < range.end).then_some(range)
    }

    /// The parser counts lines and columns from 1, and columns in characters.
    fn offset(&self, location: Location) -> Option<usize> {
        let column = usize::try_from(location.column.checked_sub(1)?).ok()?;
        let line = usize::try_from(location.line.checked_sub(1)?).ok()?;
        let Some(&(start, is_ascii)) = self.lines.get(line) else {
            return (column == 0).then_some(self.sql.len());
        };
        if is_ascii {
            return Some(start + column).filter(|&offset| offset <= self.sql.len());
        }
        let rest = self.respelt.get(start..)?;
        let within = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(column)?;
        Some(start + within)
    }

    /// The tokens between two places.
    pub fn between(&self, from: usize, to: usize) -> &[Token<'a>] {
        let first = self.tokens.partition_point(|token| token.start < from);
        let after = self.tokens.partition_point(|token| token.end() <= to);
        self.tokens.get(first..after).unwrap_or_default()
    }

    /// The whole of a condition: the parser leaves out signs, parentheses, CAST, ESCAPE and IS NULL.
    pub fn whole(&self, part: &Range<usize>) -> Range<usize> {
        let first = self.tokens.partition_point(|token| token.end() <= part.start);
        let after = self.tokens.partition_point(|token| token.start < part.end);
        let Some(last) = after.checked_sub(1).filter(|&last| first <= last) else { return part.clone() };
        let (first, last) = self.closed(first, last);
        let last = self.forward(last);
        let first = self.back(first, last);
        match (self.tokens.get(first), self.tokens.get(last)) {
            (Some(first), Some(last)) => first.start..last.end(),
            _ => part.clone(),
        }
    }

    /// Widens a range of tokens until every parenthesis in it has its other one.
    fn closed(&self, first: usize, last: usize) -> (usize, usize) {
        let (mut low, mut high, mut at) = (first, last, first);
        while at <= high {
            if let Some(partner) = self.partner(at) {
                high = high.max(partner);
                if partner < low {
                    (low, at) = (partner, partner);
                }
            }
            at += 1;
        }
        (low, high)
    }

    fn back(&self, first: usize, last: usize) -> usize {
        let mut first = first;
        while let Some(before) = first.checked_sub(1).filter(|&before| !self.is_between(before)) {
            first = match self.partner(before) {
                Some(partner) if partner <= last => partner.min(before),
                // A parenthesis around several conditions.
                Some(_) => break,
                None => before,
            };
        }
        first
    }

    fn forward(&self, last: usize) -> usize {
        let mut last = last;
        while !self.is_between(last + 1) {
            last = match self.partner(last + 1) {
                Some(partner) if partner > last => partner,
                Some(_) => break,
                None => last + 1,
            };
        }
        last
    }

    fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }

    fn is_between(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return true };
        // `a NOT NULL` is one condition.
        let is_test =
            token.is_word("NOT") && self.tokens.get(at + 1).is_some_and(|next| next.is_word("NULL"));
        token.is_symbol(",") || token.is_symbol(";") || (token.is_one_of(BETWEEN) && !is_test)
    }
}

/// Which parentheses belong together, and how deep they nest.
pub(super) fn partners(tokens: &[Token<'_>]) -> (Vec<Option<usize>>, usize) {
    let mut partners = vec![None; tokens.len()];
    let (mut open, mut depth) = (Vec::new(), 0);
    for (at, token) in tokens.iter().enumerate() {
        if token.is_symbol("(") {
            open.push(at);
            depth = depth.max(open.len());
        } else if token.is_symbol(")")
            && let Some(start) = open.pop()
        {
            for (one, other) in [(start, at), (at, start)] {
                if let Some(partner) = partners.get_mut(one) {
                    *partner = Some(other);
                }
            }
        }
    }
    (partners, depth)
}

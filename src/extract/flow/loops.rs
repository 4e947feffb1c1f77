//! The loop around a token, what it walks over, and the names of its element: `for`, `while`, and the closures that
//! iterators run once per element.

use super::assignments::pattern;
use crate::extract::{code::Code, lexer::Kind, sketch::LoopSketch};
use std::ops::Range;

/// What a loop walks over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopSource {
    /// The rows of a query.
    Rows,
    /// The elements of a collection.
    Collection,
    /// Numbers.
    Range,
    /// What has come since the last time, which is taken from a field.
    Queue,
    /// Elements or numbers that are written there, which are few.
    Fixed,
    /// Nothing: it goes on while a condition holds.
    Condition,
}

impl LoopSource {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Collection => "collection",
            Self::Range => "range",
            Self::Queue => "queue",
            Self::Fixed => "fixed",
            Self::Condition => "condition",
        }
    }
}

/// A loop around a token.
#[derive(Debug)]
pub(super) struct Around<'a> {
    pub source: LoopSource,
    /// How many there are around the token, this one included.
    pub depth: u8,
    /// The names of its element.
    pub items: Vec<&'a str>,
    /// Its header and its body.
    pub range: Range<usize>,
    /// Where its body starts.
    pub body: usize,
    /// The header of the outermost loop around the token.
    pub outermost: Range<usize>,
}

/// Methods of iterators that run a closure once per element. On an option they run it once, so what stands in front
/// of them has to be an iterator.
const PER_ELEMENT: [&str; 8] =
    ["map", "filter_map", "flat_map", "for_each", "try_for_each", "filter", "fold", "retain"];
const ITERATORS: [&str; 14] = [
    "iter",
    "into_iter",
    "iter_mut",
    "keys",
    "values",
    "drain",
    "chunks",
    "enumerate",
    "rev",
    "zip",
    "windows",
    "lines",
    "par_iter",
    "into_par_iter",
];
/// Words that name rows of a query.
const ROWS: [&str; 9] =
    ["rows", "query_map", "query", "query_and_then", "fetch", "fetchall", "cursor", "execute", "fetch_all"];

/// The innermost loop around a token of a function that starts at `floor`.
pub(super) fn around<'a>(
    code: Code<'a>,
    loops: &[LoopSketch],
    at: usize,
    floor: usize,
) -> Option<Around<'a>> {
    let header = |one: &LoopSketch| one.body > one.start && at < one.body as usize;
    let outer = enclosing(loops, at, floor)
        // What stands in the header of `for` runs once, in that of `while` with each turn.
        .filter(|one| !header(one) || code.word(one.start as usize) == "while")
        .filter(|one| !code.is_header_of_for(one.start as usize, at));
    let depth = outer.clone().count().min(200) as u8;
    let outermost = outer.clone().next().map(|one| {
        let (start, body) = (one.start as usize, one.body as usize);
        start..code.header_end(start, body)
    });
    let outer = outer.last().map(|one| {
        let innermost = code.keyword(one.start as usize, one.body as usize, one.end as usize);
        Around { depth, outermost: outermost.clone().unwrap_or_default(), ..innermost }
    });
    let closure = code.closure(at, outer.as_ref().map_or(floor, |outer| outer.body));
    let closure = closure.map(|closure| {
        let outermost = outermost.unwrap_or(closure.range.start..closure.body);
        Around { depth: depth + 1, outermost, ..closure }
    });
    closure.or(outer)
}

/// The loops of a function around a token, from the outside in.
fn enclosing(loops: &[LoopSketch], at: usize, floor: usize) -> impl Iterator<Item = &LoopSketch> + Clone {
    let first = loops.partition_point(|one| (one.start as usize) < floor);
    let behind = loops.partition_point(|one| (one.start as usize) < at);
    let within = loops.get(first..behind).unwrap_or(&[]);
    within.iter().filter(move |one| at < one.end as usize)
}

impl<'a> Code<'a> {
    /// The token behind the header of a loop.
    fn header_end(&self, start: usize, body: usize) -> usize {
        if self.indented() { self.line_end(start) } else { body }
    }

    fn is_header_of_for(&self, start: usize, at: usize) -> bool {
        self.indented() && self.word(start) == "for" && at < self.header_end(start, start)
    }

    /// A loop that a keyword starts.
    fn keyword(&self, start: usize, body: usize, end: usize) -> Around<'a> {
        let head = self.header_end(start, body);
        let (items, source) = match self.word(start) {
            _ if self.is_given(start) => self.given_head(start, end),
            _ if self.repeats(self.word(start)) => self.element_head(start, head),
            word if self.parenthesised() && word.starts_with("for") => self.parenthesised_head(start, head),
            "for" if self.by_lines() => self.go_header(start + 1, head, end),
            "for" => {
                let split = (start + 1..head).find(|&at| self.word(at) == "in").unwrap_or(head);
                (pattern(*self, start + 1..split), self.source(split + 1, head))
            }
            "while" if self.word(start + 1) == "let" => {
                let split = (start + 2..head).find(|&at| self.is(at, b'=')).unwrap_or(head);
                self.while_let(start + 2, split, head)
            }
            "while" => {
                let rows = self.parenthesised().then(|| self.rows_head(start, head)).flatten();
                match rows {
                    Some(items) => (items, LoopSource::Rows),
                    None if self.is_bounded(start + 1, head) => (Vec::new(), LoopSource::Fixed),
                    None => (Vec::new(), LoopSource::Condition),
                }
            }
            _ => (Vec::new(), LoopSource::Condition),
        };
        Around { source, depth: 1, items, range: start..end, body: head, outermost: start..head }
    }

    /// Whether a cursor of this name is read in a range of tokens: `rows.Scan(&id)`.
    fn scans(&self, name: &str, mut range: Range<usize>) -> bool {
        range.any(|at| {
            matches!(self.word(at), "Scan" | "StructScan")
                && self.receiver(at).is_some_and(|cursor| self.word(cursor) == name)
        })
    }

    /// Whether a condition compares something with a number, or with a constant: `tries < MAX_TRIES`.
    fn is_bounded(&self, from: usize, to: usize) -> bool {
        (from..to).any(|at| {
            let below = self.is(at, b'<') && !self.is(at + 1, b'<') && !self.is(at - 1, b':');
            let value = at + 1 + usize::from(self.is(at + 1, b'='));
            let number = self.kind(value) == Some(Kind::Atom);
            below
                && (number || (self.shouts(value) && !self.is(value + 1, b'.') && !self.is(value + 1, b':')))
        })
    }

    pub(super) fn shouts(&self, at: usize) -> bool {
        let word = self.word(at);
        word.len() > 2 && !word.bytes().any(|byte| byte.is_ascii_lowercase())
    }

    /// `for i, item := range items`, `for i := 0; i < n; i++`, `for rows.Next()`.
    fn go_header(&self, from: usize, to: usize, end: usize) -> (Vec<&'a str>, LoopSource) {
        let assigned = (from..to).find(|&at| self.is(at, b'='));
        let names = |end: usize| pattern(*self, from..end);
        if let Some(range) = (from..to).find(|&at| self.word(at) == "range") {
            return (names(range), self.source(range + 1, to));
        }
        if let Some(assigned) = assigned.filter(|_| (from..to).any(|at| self.is(at, b';'))) {
            return (names(assigned), LoopSource::Range);
        }
        let next = (from..to).find(|&at| self.word(at) == "Next");
        // What is read of the cursor is its row: `rows.Scan(&id)`.
        let cursor = next.filter(|&at| at == from + 2).map(|_| self.word(from));
        let cursor = cursor.filter(|cursor| self.scans(cursor, to..end));
        let source = if next.is_some() { LoopSource::Rows } else { LoopSource::Condition };
        (cursor.into_iter().collect(), source)
    }

    /// `while let Some(row) = rows.next()?`
    fn while_let(&self, from: usize, split: usize, to: usize) -> (Vec<&'a str>, LoopSource) {
        let items = pattern(*self, from..split);
        let has = |words: &[&str]| (split..to).any(|at| words.contains(&self.word(at)));
        let takes = has(&["next", "pop", "pop_front", "pop_back", "pop_first", "recv", "dequeue"]);
        let source = match takes {
            true if has(&ROWS) => LoopSource::Rows,
            true => LoopSource::Collection,
            false => LoopSource::Condition,
        };
        (if takes { items } else { Vec::new() }, source)
    }

    /// What the expression of a `for` yields.
    pub(super) fn source(&self, from: usize, to: usize) -> LoopSource {
        let words = || (from..to).filter(|&at| self.is_word(at));
        let range =
            self.has_dots(from, to) || (self.indented() && matches!(self.word(from), "range" | "count"));
        let written = self.is(from, b'[') || (self.is(from, b'&') && self.is(from + 1, b'['));
        let iterates = |at: usize| ITERATORS.contains(&self.word(at)) && self.is(at + 1, b'(');
        let plain = words().all(|at| self.shouts(at) || iterates(at) || self.word(at) == "range");
        if plain && (written || words().next().is_some() || range) {
            return LoopSource::Fixed;
        }
        if written && self.matching(from + usize::from(self.is(from, b'&'))) + 1 >= to {
            return LoopSource::Fixed;
        }
        if self.is_written(from, to) {
            return LoopSource::Fixed;
        }
        if range {
            return LoopSource::Range;
        }
        let drains = |at: usize| self.word(at) == "drain" && self.is(at - 1, b'.') && self.is(at - 3, b'.');
        if (from + 3..to).any(drains) {
            return LoopSource::Queue;
        }
        if words().any(|at| ROWS.contains(&self.word(at))) {
            LoopSource::Rows
        } else {
            LoopSource::Collection
        }
    }

    /// Whether `..` stands between two tokens, in no bracket.
    fn has_dots(&self, from: usize, to: usize) -> bool {
        let mut at = from;
        while at < to {
            if self.is(at, b'.') && self.is(at + 1, b'.') {
                return true;
            }
            at = if at > from { self.behind(at) } else { at + 1 };
        }
        false
    }

    /// The method of an iterator whose closure a token stands in.
    fn closure(&self, at: usize, floor: usize) -> Option<Around<'a>> {
        if self.indented() {
            return None;
        }
        let floor = floor.max(at.saturating_sub(600));
        self.around(at)
            .take_while(|&open| open >= floor)
            .find_map(|open| if self.is(open, b'(') { self.per_element(open) } else { None })
    }

    fn per_element(&self, open: usize) -> Option<Around<'a>> {
        let method = open.checked_sub(1)?;
        if self.repeats(self.word(method)) && self.parenthesised() {
            return self.arrow_element(open, method);
        }
        let bar = if self.word(open + 1) == "move" { open + 2 } else { open + 1 };
        if !PER_ELEMENT.contains(&self.word(method))
            || !self.is(method.checked_sub(1)?, b'.')
            || !self.is(bar, b'|')
        {
            return None;
        }
        let start = self.chain_start(method - 1);
        let iterates = (start..method).any(|at| ITERATORS.contains(&self.word(at)) && self.is(at + 1, b'('));
        let range =
            self.is(start, b'(') && (start..method).any(|at| self.is(at, b'.') && self.is(at + 1, b'.'));
        if !iterates && !range && !matches!(self.word(method), "for_each" | "try_for_each" | "retain") {
            return None;
        }
        let close = (bar + 1..bar + 40).find(|&at| self.is(at, b'|'))?;
        let items = pattern(*self, bar + 1..close);
        let source = self.source(start, method - 1);
        let (range, outermost) = (start..self.matching(open), start..close);
        Some(Around { source, depth: 1, items, range, body: close, outermost })
    }

    /// The first token of the chain of calls that ends in front of a dot.
    pub(super) fn chain_start(&self, dot: usize) -> usize {
        let mut start = dot;
        let floor = dot.saturating_sub(600);
        while let Some(before) = start.checked_sub(1).filter(|before| *before >= floor) {
            let joins = [b'.', b'?', b':', b'&'].iter().any(|&byte| self.is(before, byte));
            if self.is(before, b')') || self.is(before, b']') {
                match self.opening(before) {
                    Some(open) => start = open,
                    None => return start,
                }
            } else if joins || (self.is_word(before) && self.continues(start)) {
                start = before;
            } else {
                return start;
            }
        }
        start
    }

    /// Whether a word in front of a token belongs to the same chain.
    fn continues(&self, at: usize) -> bool {
        [b'.', b'(', b'[', b'?', b':'].iter().any(|&byte| self.is(at, byte))
    }
}

//! The loop around a token, what it walks over, and the names of its element: `for`, `while`, and the closures that
//! iterators run once per element.

use super::{assignments::pattern, code::Code};
use crate::extract::lexer::Kind;
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
}

/// The tokens of a loop that are looked at for what else it does.
const LONGEST: usize = 20_000;

/// What else a loop does, as the names of its calls and its exits tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Besides {
    /// It ends with the element that it looked for: a `break`, or a `return` of a result.
    pub searches: bool,
    /// It changes what it may read with its next element.
    pub writes: bool,
    /// It waits for something else than the database: another machine, a process.
    pub waits: bool,
}

/// What the calls between two tokens do besides that of a token, and how the loop there ends.
pub(super) fn besides(code: Code<'_, '_>, around: &Around<'_>, call: usize) -> Besides {
    const WRITES: [&str; 17] = [
        "process",
        "store",
        "insert",
        "update",
        "delete",
        "save",
        "write",
        "create",
        "prune",
        "remove",
        "apply",
        "commit",
        "replace",
        "reconfigure",
        "upsert",
        "put",
        "preprocess",
    ];
    const WAITS: [&str; 12] = [
        "send", "post", "request", "publish", "fetch", "download", "connect", "spawn", "recv", "receive",
        "sleep", "rpc",
    ];
    let mut found = Besides::default();
    // `return nil, err`, `return Err(…)`: who gives up has found nothing.
    let fails = |at: usize| {
        let rest = (at + 1..at + 12).take_while(|&at| !code.is(at, b';') && !code.is(at, b'}'));
        rest.into_iter().any(|at| matches!(code.word(at), "Err" | "err" | "Errorf" | "errors" | "error"))
    };
    for at in around.body..around.range.end.min(around.body + LONGEST) {
        if at == call || !code.is_word(at) {
            continue;
        }
        let word = code.word(at);
        if at > call && (word == "break" || (word == "return" && !fails(at))) {
            found.searches = true;
        }
        if code.is(at + 1, b'(') {
            let lower = word.to_ascii_lowercase();
            let first = lower.split('_').find(|part| !part.is_empty()).unwrap_or("");
            let starts = |verbs: &[&str]| {
                verbs.iter().any(|verb| first == *verb || (word != lower && lower.starts_with(verb)))
            };
            // Collections have methods of these bare names.
            found.writes |= starts(&WRITES) && !matches!(word, "insert" | "remove" | "replace" | "put");
            found.waits |= starts(&WAITS);
        }
    }
    found
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
pub(super) fn around<'a>(code: Code<'_, 'a>, at: usize, floor: usize) -> Option<Around<'a>> {
    let loops = &code.folder.units.get(code.spot.unit)?.sketch.loops;
    let inside = |start: u32, end: u32| (start as usize) < at && at < end as usize && start as usize >= floor;
    let header = |body: u32, start: u32| body > start && at < body as usize;
    let outer = loops
        .iter()
        // What stands in the header of `for` runs once, in that of `while` with each turn.
        .filter(|one| inside(one.start, one.end))
        .filter(|one| !header(one.body, one.start) || code.word(one.start as usize) == "while")
        .filter(|one| !code.is_header_of_for(one.start as usize, at));
    let depth = outer.clone().count().min(200) as u8;
    let outer = outer.max_by_key(|one| one.start);
    let outer = outer
        .map(|one| Around { depth, ..code.keyword(one.start as usize, one.body as usize, one.end as usize) });
    let closure = code.closure(at, outer.as_ref().map_or(floor, |outer| outer.body));
    closure.map(|closure| Around { depth: depth + 1, ..closure }).or(outer)
}

impl<'a> Code<'_, 'a> {
    /// The token behind the header of a loop.
    fn header_end(&self, start: usize, body: usize) -> usize {
        if !self.indented() {
            return body;
        }
        let length = self.length();
        let mut at = start + 1;
        while at < length && !self.is(at, b':') {
            at = self.behind(at);
        }
        at
    }

    fn is_header_of_for(&self, start: usize, at: usize) -> bool {
        self.indented() && self.word(start) == "for" && at < self.header_end(start, start)
    }

    /// A loop that a keyword starts.
    fn keyword(&self, start: usize, body: usize, end: usize) -> Around<'a> {
        let head = self.header_end(start, body);
        let (items, source) = match self.word(start) {
            "for" if self.by_lines() => self.go_header(start + 1, head),
            "for" => {
                let split = (start + 1..head).find(|&at| self.word(at) == "in").unwrap_or(head);
                (pattern(*self, start + 1..split), self.source(split + 1, head))
            }
            "while" if self.word(start + 1) == "let" => {
                let split = (start + 2..head).find(|&at| self.is(at, b'=')).unwrap_or(head);
                self.while_let(start + 2, split, head)
            }
            "while" if self.is_bounded(start + 1, head) => (Vec::new(), LoopSource::Fixed),
            _ => (Vec::new(), LoopSource::Condition),
        };
        Around { source, depth: 1, items, range: start..end, body: head }
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

    fn shouts(&self, at: usize) -> bool {
        let word = self.word(at);
        word.len() > 2 && !word.bytes().any(|byte| byte.is_ascii_lowercase())
    }

    /// `for i, item := range items`, `for i := 0; i < n; i++`, `for rows.Next()`.
    fn go_header(&self, from: usize, to: usize) -> (Vec<&'a str>, LoopSource) {
        let assigned = (from..to).find(|&at| self.is(at, b'='));
        let names = |end: usize| pattern(*self, from..end);
        if let Some(range) = (from..to).find(|&at| self.word(at) == "range") {
            return (names(range), self.source(range + 1, to));
        }
        if let Some(assigned) = assigned.filter(|_| (from..to).any(|at| self.is(at, b';'))) {
            return (names(assigned), LoopSource::Range);
        }
        let rows = (from..to).any(|at| self.word(at) == "Next");
        (Vec::new(), if rows { LoopSource::Rows } else { LoopSource::Condition })
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
    fn source(&self, from: usize, to: usize) -> LoopSource {
        let words = || (from..to).filter(|&at| self.is_word(at));
        let range =
            self.has_dots(from, to) || (self.indented() && matches!(self.word(from), "range" | "count"));
        let written = self.is(from, b'[') || (self.is(from, b'&') && self.is(from + 1, b'['));
        let plain = words()
            .all(|at| self.shouts(at) || ITERATORS.contains(&self.word(at)) || self.word(at) == "range");
        if plain && (written || words().next().is_some() || range) {
            return LoopSource::Fixed;
        }
        if written && self.matching(from + usize::from(self.is(from, b'&'))) + 1 >= to {
            return LoopSource::Fixed;
        }
        if range {
            return LoopSource::Range;
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
        let mut depth = 0_u32;
        for open in (floor.max(at.saturating_sub(600))..at).rev() {
            if self.closes(open) {
                depth += 1;
            } else if self.opens(open) && depth > 0 {
                depth -= 1;
            } else if self.is(open, b'(')
                && let Some(around) = self.per_element(open)
            {
                return Some(around);
            }
        }
        None
    }

    fn per_element(&self, open: usize) -> Option<Around<'a>> {
        let method = open.checked_sub(1)?;
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
        Some(Around { source, depth: 1, items, range: start..self.matching(open), body: close })
    }

    /// The first token of the chain of calls that ends in front of a dot.
    fn chain_start(&self, dot: usize) -> usize {
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

    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for at in (close.saturating_sub(400)..=close).rev() {
            if self.closes(at) {
                depth += 1;
            } else if self.opens(at) {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        None
    }
}

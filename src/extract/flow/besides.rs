//! What else a loop does, as the names of its calls and its exits tell.

use super::loops::Around;
use crate::extract::{code::Code, lexer::Kind, sketch::LoopSketch};

/// The tokens of a loop that are looked at.
const LONGEST: usize = 20_000;

/// What else a loop does than a call of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Besides {
    /// It ends with the element that it looked for: a `break`, or a `return` of a result.
    pub searches: bool,
    /// It changes what it may read with its next element.
    pub writes: bool,
    /// It waits for something else than the database: another machine, a process.
    pub waits: bool,
}

/// The first and the last token of some.
type Ends = Option<(usize, usize)>;

/// Where a loop does something, so that each of its calls can be told apart from the rest.
#[derive(Debug, Default)]
pub(super) struct Doings {
    exit: Option<usize>,
    writes: Ends,
    waits: Ends,
}

impl Doings {
    /// Those between the start and the end of the body of a loop.
    pub fn new(code: Code<'_>, loops: &[LoopSketch], around: &Around<'_>) -> Self {
        let mut found = Self::default();
        let range = around.body..around.range.end.min(around.body + LONGEST);
        for (at, token) in range.zip(code.tokens().iter().skip(around.body)) {
            if token.kind != Kind::Word {
                continue;
            }
            let word = code.spelling(token);
            let leaves = match word {
                "break" => !is_of_inner(loops, around, at),
                "return" => !fails(code, at) && !is_in_closure(code, around, at),
                _ => false,
            };
            if leaves && !code.gives_up(at) {
                found.exit = Some(at);
            }
            if code.is(at + 1, b'(') {
                found.call(at, word);
                if code.is(at - 1, b'.') && asks_web(code.word(at - 2)) {
                    add(&mut found.waits, at);
                }
            }
        }
        found
    }

    fn call(&mut self, at: usize, word: &str) {
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
        const FETCHES_ROWS: [&str; 8] = [
            "fetch_all",
            "fetch_one",
            "fetch_optional",
            "fetch_many",
            "fetchAll",
            "fetchArray",
            "fetchColumn",
            "fetchObject",
        ];
        let first = word.split('_').find(|part| !part.is_empty()).unwrap_or("");
        let has_capitals = word.bytes().any(|byte| byte.is_ascii_uppercase());
        let head = |length: usize| word.get(..length).filter(|_| has_capitals).unwrap_or(first);
        let starts = |verbs: &[&str]| {
            let is_start =
                |verb: &&str| first.eq_ignore_ascii_case(verb) || head(verb.len()).eq_ignore_ascii_case(verb);
            verbs.iter().any(is_start)
        };
        // Collections have methods of these bare names.
        let makes = ["Command", "Statement", "Query", "Parameter"].iter().any(|end| word.ends_with(end));
        let makes_statement = makes && starts(&["create"]);
        if starts(&WRITES) && !makes_statement && !matches!(word, "insert" | "remove" | "replace" | "put") {
            add(&mut self.writes, at);
        }
        // These wait for rows.
        if starts(&WAITS) && !FETCHES_ROWS.contains(&word) {
            add(&mut self.waits, at);
        }
    }

    /// What the loop does besides the call at a token. A helper that it calls may itself change things, by its name.
    pub fn besides(&self, call: usize, is_helper: bool) -> Besides {
        let elsewhere = |ends: Ends| ends.is_some_and(|(first, last)| first != call || last != call);
        Besides {
            searches: self.exit.is_some_and(|exit| exit > call),
            writes: if is_helper { self.writes.is_some() } else { elsewhere(self.writes) },
            waits: elsewhere(self.waits),
        }
    }
}

/// Adds a token behind all others.
fn add(ends: &mut Ends, at: usize) {
    *ends = Some((ends.map_or(at, |(first, _)| first), at));
}

/// Whether calls on what has this name ask other machines.
fn asks_web(owner: &str) -> bool {
    matches!(owner, "requests" | "axios" | "urllib") || owner.to_ascii_lowercase().contains("http")
}

/// Whether a `return` ends a closure within the loop.
fn is_in_closure(code: Code<'_>, around: &Around<'_>, at: usize) -> bool {
    let blocks = code.around(at).take_while(|&open| open > around.body + 1);
    blocks.into_iter().any(|open| code.is(open, b'{') && code.is(open - 1, b'|'))
}

/// Whether a `break` ends a loop within the one around.
fn is_of_inner(loops: &[LoopSketch], around: &Around<'_>, at: usize) -> bool {
    let behind = loops.partition_point(|one| (one.start as usize) < at);
    let before = loops.partition_point(|one| (one.start as usize) < around.body);
    loops.get(before..behind).unwrap_or(&[]).iter().any(|one| at < one.end as usize)
}

impl Code<'_> {
    /// Whether a loop is left because there is no more to be had, and not for what was found: no row, or a full page.
    fn gives_up(&self, at: usize) -> bool {
        let nothing = |start: usize| {
            let arrow =
                start.checked_sub(2).filter(|&arrow| self.is(arrow, b'=') && self.is(arrow + 1, b'>'));
            arrow.is_some_and(|arrow| self.word(arrow - 1) == "None")
        };
        let Some(open) = self.around(at).next().filter(|_| !self.indented()) else { return false };
        if nothing(at)
            || nothing(open)
            || (self.word(at + 1) == "Ok" && self.is(at + 3, b'(') && self.is(at + 4, b')'))
        {
            return true;
        }
        let floor = open.saturating_sub(60);
        if self.word(open - 1) == "else" {
            let start =
                (floor..open).rev().find(|&at| [b';', b'{', b'}'].iter().any(|&byte| self.is(at, byte)));
            return start.is_some_and(|start| self.word(start + 1) == "let");
        }
        let counts = |range: std::ops::Range<usize>| {
            range.into_iter().any(|at| self.word(at) == "len" && self.is(at + 1, b'('))
        };
        self.is(open, b'{') && self.block(open, floor).flatten().is_some_and(counts)
    }
}

/// `return nil, err`, `return Err(…)`: who gives up has found nothing.
pub(super) fn fails(code: Code<'_>, at: usize) -> bool {
    let rest = (at + 1..at + 12).take_while(|&at| !code.is(at, b';') && !code.is(at, b'}'));
    rest.into_iter().any(|at| matches!(code.word(at), "Err" | "err" | "Errorf" | "errors" | "error"))
}

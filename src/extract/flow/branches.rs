//! Which branches stand around a call: whether it runs in each turn of its loop, or only in some. Knows the shape of
//! `if`, `match` and `switch`; evaluates no condition, but for the one that is true in one of many turns.

use crate::extract::{code::Code, lexer::Kind};
use std::ops::Range;

/// The tokens of a header that are looked at.
const LONGEST: usize = 400;

/// The tokens of a block whose arms are held against each other.
const WIDEST: usize = 20_000;

/// The brackets around a token that are looked at; nobody nests deeper by hand.
pub(super) const DEEPEST: usize = 100;

/// A branch around a token, by its condition: nothing where that is not its own, as for `else` and for arms.
pub(super) type Branch = Option<Range<usize>>;

/// When a call runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct When {
    /// It runs in some turns only: in a branch of its loop or, where no loop is around it, of its function; or behind a
    /// look into a map that may spare it.
    pub conditional: bool,
    /// It runs once in a constant number of turns: `if height % INTERVAL == 0`.
    pub seldom: bool,
}

/// The methods by which maps are asked for a key.
const LOOKUPS: [&str; 7] =
    ["get", "get_mut", "contains_key", "containsKey", "ContainsKey", "TryGetValue", "has"];

impl Code<'_> {
    /// The branches around a token, behind `floor`, from the inside out.
    pub(super) fn branches(&self, floor: usize, at: usize) -> Vec<Branch> {
        if self.indented() {
            return self.indented_branches(floor, at);
        }
        self.around(at)
            .take_while(|&open| open > floor)
            .take(DEEPEST)
            .filter_map(|open| {
                let branch = if self.is(open, b'{') { self.block(open, floor) } else { self.lazy(open) };
                branch.filter(|branch| !self.is_in_all(open, at, branch))
            })
            .collect()
    }

    /// The condition of a block, if that is a branch.
    pub(super) fn block(&self, open: usize, floor: usize) -> Option<Branch> {
        let last = open.checked_sub(1)?;
        if self.word(last) == "else" {
            return Some(None);
        }
        // The block of an arm: that of its `match` stands around it.
        if self.is(last, b'>') && self.is(last.checked_sub(1)?, b'=') {
            return None;
        }
        let mut at = last;
        while at > floor && open - at < LONGEST {
            match self.word(at) {
                "if" if self.word(at + 1) == "cfg" => return None,
                "if" => return Some(Some(at + 1..open)),
                "match" | "switch" | "select" | "when" => return Some(None),
                "while" | "for" | "loop" | "fn" | "func" | "unsafe" | "async" | "struct" => return None,
                _ => {}
            }
            if self.opens(at) || self.is(at, b',') || (self.is(at, b';') && !self.by_lines()) {
                return None;
            }
            if self.closes(at) {
                let goes_on = [b'=', b'.', b'?'].iter().any(|&byte| self.is(at + 1, byte));
                if self.is(at, b'}') && !goes_on {
                    return None;
                }
                at = self.opening(at)?;
            }
            at = at.checked_sub(1)?;
        }
        None
    }

    /// Whether all arms of a `match`, or both branches of an `if`, call what stands at a token.
    fn is_in_all(&self, open: usize, call: usize, branch: &Branch) -> bool {
        if !self.is(open, b'{') || self.by_lines() {
            return false;
        }
        let close = self.matching(open);
        if close.saturating_sub(open) > WIDEST {
            return false;
        }
        let word = self.word(call);
        let calls = |range: Range<usize>| {
            range.into_iter().filter(|&at| self.word(at) == word && self.is(at + 1, b'(')).count()
        };
        let is_else = self.word(open - 1) == "else";
        let arms = if branch.is_none() && !is_else { self.arm_count(open, close) } else { 0 };
        let other = if self.word(close + 1) == "else" && self.is(close + 2, b'{') {
            Some(close + 2)
        } else if is_else {
            open.checked_sub(2)
                .filter(|&before| self.is(before, b'}'))
                .and_then(|before| self.opening(before))
        } else {
            None
        };
        (arms > 1 && calls(open..close) >= arms)
            || other.is_some_and(|other| calls(other..self.matching(other)) > 0)
    }

    /// How many arms a `match` has.
    fn arm_count(&self, open: usize, close: usize) -> usize {
        let mut arms = 0;
        let mut at = open + 1;
        while at < close {
            arms += usize::from(self.is(at, b'=') && self.is(at + 1, b'>'));
            at = self.behind(at);
        }
        arms
    }

    /// The parenthesis of a method that runs its closure for want of a value.
    fn lazy(&self, open: usize) -> Option<Branch> {
        const LAZY: [&str; 6] = [
            "or_else",
            "unwrap_or_else",
            "or_insert_with",
            "get_or_insert_with",
            "then",
            "or_try_insert_with",
        ];
        let runs =
            self.is(open, b'(') && self.is(open + 1, b'|') && LAZY.contains(&self.word(open.checked_sub(1)?));
        runs.then_some(None)
    }

    /// The branches around a token where indentation makes the blocks.
    fn indented_branches(&self, floor: usize, at: usize) -> Vec<Branch> {
        let mut found = Vec::new();
        let mut level = u32::MAX;
        let mut is_first = true;
        let mut waits_for_head = false;
        for line in (floor..at).rev().filter(|&line| self.kind(line) == Some(Kind::Line)) {
            let Some(indentation) = self.tokens().get(line).map(|token| token.end - token.start) else {
                continue;
            };
            let word = self.word(line + 1);
            let is_sibling = waits_for_head && indentation == level;
            if is_sibling && matches!(word, "if" | "for" | "while" | "try") {
                waits_for_head = false;
                if word == "if" {
                    found.push(None);
                }
            }
            if indentation >= level {
                continue;
            }
            level = indentation;
            waits_for_head = false;
            if std::mem::take(&mut is_first) {
                // The line of the call itself, whose header is a condition and no branch.
                continue;
            }
            match word {
                "if" | "elif" => found.push(Some(line + 2..self.line_end(line))),
                "except" | "case" => found.push(None),
                "else" => waits_for_head = true,
                _ => {}
            }
        }
        found
    }

    /// The lines, as their tokens, whose blocks stand around a token, from the inside out, its own line first.
    pub(in crate::extract) fn headers(&self, floor: usize, at: usize) -> impl Iterator<Item = usize> {
        let mut level = u32::MAX;
        (floor..at).rev().filter(move |&line| {
            let token = self.tokens().get(line).filter(|token| token.kind == Kind::Line);
            let indentation = token.map_or(u32::MAX, |token| token.end - token.start);
            let is_outer = indentation < level;
            level = level.min(indentation);
            is_outer
        })
    }

    /// The colon that ends the header on a line.
    pub(in crate::extract) fn line_end(&self, line: usize) -> usize {
        let mut at = line + 1;
        while at < self.length() && !self.is(at, b':') && self.kind(at) != Some(Kind::Line) {
            at = self.behind(at);
        }
        at
    }

    /// Whether something is looked up in a map, by one of these `if`s and `match`es, in front of what is there for want of it:
    /// `if let Some(one) = map.get(&key) { …; continue }`.
    pub(super) fn asks_map(&self, forks: &[usize], call: usize) -> bool {
        forks.iter().any(|&at| {
            let (head, end) = self.head_and_end(at);
            end <= call && self.looks_up(at + 1..head) && self.leaves(head..end)
        })
    }

    /// The token behind the header of an `if` or a `match`, and the one behind its body, which may have no braces.
    fn head_and_end(&self, start: usize) -> (usize, usize) {
        let behind = self.matching(start + 1) + 1;
        let is_bare = self.parenthesised() && self.is(start + 1, b'(') && !self.is(behind, b'{');
        if is_bare {
            let mut body = behind..self.length().min(behind + LONGEST);
            return (behind, body.find(|&at| self.is(at, b';')).unwrap_or(behind));
        }
        let head = self.head_end(start);
        (head, self.body_end(start, head))
    }

    /// The token behind the header of an `if` or a `match`.
    pub(super) fn head_end(&self, start: usize) -> usize {
        if self.indented() {
            return self.line_end(start);
        }
        let mut at = start + 1;
        let end = self.length().min(start + LONGEST);
        while at < end && !self.is(at, b'{') {
            at = self.behind(at);
        }
        at
    }

    /// The token behind the body of an `if` or a `match`.
    pub(super) fn body_end(&self, start: usize, head: usize) -> usize {
        if !self.indented() {
            return self.matching(head);
        }
        let indentation = |line: usize| self.tokens().get(line).map_or(0, |token| token.end - token.start);
        let is_line = |line: &usize| self.kind(*line) == Some(Kind::Line);
        let own = start.checked_sub(1).filter(is_line).map_or(0, indentation);
        let mut lines = (head..self.length()).filter(is_line);
        lines.find(|&line| indentation(line) <= own).unwrap_or(self.length())
    }

    fn looks_up(&self, header: Range<usize>) -> bool {
        if self.indented() {
            let within = header.clone().find(|&at| self.word(at) == "in");
            return within
                .is_some_and(|at| self.word(at + 1) == "self" && self.word(at.saturating_sub(1)) != "not");
        }
        header.into_iter().any(|at| {
            let method = LOOKUPS.contains(&self.word(at)) && self.is(at + 1, b'(');
            let indexed = self.by_lines() && self.word(at) == "ok" && self.is(at + 1, b':');
            (method && self.is(at - 1, b'.')) || indexed
        })
    }

    fn leaves(&self, body: Range<usize>) -> bool {
        body.into_iter().any(|at| matches!(self.word(at), "continue" | "return"))
    }

    /// Whether a condition holds once in a constant number: `n % INTERVAL == 0`, `n.is_multiple_of(INTERVAL)`, or a name
    /// that was given such a value between `floor` and it.
    pub(super) fn is_seldom(&self, condition: Range<usize>, floor: usize) -> bool {
        let start = condition.start;
        if condition.len() == 1 {
            let name = self.word(start);
            let given = (floor..start)
                .rev()
                .find(|&at| self.is(at + 1, b'=') && self.word(at) == name && !self.is(at + 2, b'='));
            return given.is_some_and(|at| {
                let end = (at..start).find(|&at| self.is(at, b';') || self.kind(at) == Some(Kind::Line));
                self.recurs(at + 2..end.unwrap_or(start), b'=')
            });
        }
        self.recurs(condition, b'=')
    }

    /// Whether an expression compares a remainder by a constant with 0, by `==` or by `!=`.
    fn recurs(&self, range: Range<usize>, first: u8) -> bool {
        let end = range.end;
        range.into_iter().any(|at| {
            let constant = |at: usize| {
                let by_path = (at..end.min(at + 12))
                    .take_while(|&at| self.is_word(at) || self.is(at, b':') || self.is(at, b'.'));
                self.kind(at) == Some(Kind::Atom) || by_path.into_iter().any(|at| self.is_constant(at))
            };
            if self.word(at) == "is_multiple_of" {
                return first == b'=' && constant(at + 2);
            }
            let zero = |at: usize| self.is(at, first) && self.is(at + 1, b'=') && self.word(at + 2) == "0";
            self.is(at, b'%') && constant(at + 1) && (at + 2..end).any(zero)
        })
    }

    fn is_constant(&self, at: usize) -> bool {
        let word = self.word(at);
        word.len() > 2
            && word.starts_with(|first: char| first.is_ascii_uppercase())
            && !word.bytes().any(|byte| byte.is_ascii_lowercase())
    }

    /// Whether what stands in front of a token, around one of these `%`, leaves the function but once in a constant number of
    /// times: `if n % INTERVAL != 0 { return; }`.
    pub(super) fn leaves_mostly(&self, remainders: &[usize], call: usize) -> bool {
        remainders.iter().any(|&at| {
            let Some(start) = (at.saturating_sub(16)..at).rev().find(|&at| self.word(at) == "if") else {
                return false;
            };
            let head = self.head_end(start);
            let end = self.body_end(start, head);
            head > at && end <= call && self.recurs(start + 1..head, b'!') && self.leaves(head..end)
        })
    }
}

//! Which way through a function leads to a token: the arms of the branches around it, and of those before it that leave
//! the function. Two tokens in different arms of one fork never run in one call. Evaluates no condition.

use super::{
    Flow,
    branches::{Branch, DEEPEST},
};
use crate::extract::{
    code::Code,
    lexer::Kind,
    sketch::LoopSketch,
    sql::{begins_with, contains_word, is_word},
};
use std::ops::Range;

/// The longest `try` that is looked through, in tokens.
const LONGEST_TRY: usize = 400;

/// An arm of a fork.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arm {
    /// The token at which the ways part: the first `if` of a chain, or what opens the arms of a `match`.
    pub fork: usize,
    /// The token that begins the arm; [`BEHIND`] for what comes after an arm that leaves the function.
    pub start: usize,
    /// The condition, where one decides.
    pub condition: Option<Range<usize>>,
}

/// The longest head of a `catch`, in tokens.
const CATCH: usize = 12;

/// An `if` that leaves the function.
pub(super) struct Leaving {
    fork: usize,
    /// The token behind its condition.
    head: usize,
    /// The token behind its body.
    end: usize,
}

impl Leaving {
    /// The way past it.
    fn arm(&self) -> Arm {
        Arm { fork: self.fork, start: BEHIND, condition: Some(self.fork + 1..self.head) }
    }
}

/// The tokens of a statement that are looked at.
const LONGEST: usize = 64;

/// How many places are looked at where a body may end the function.
const RETURNS: usize = 16;

/// The arm of what is reached only if an `if` did not leave the function.
const BEHIND: usize = usize::MAX;

impl Arm {
    /// Whether it is what comes behind an arm that leaves the function.
    pub fn is_behind(&self) -> bool {
        self.start == BEHIND
    }
}

impl Flow<'_> {
    /// Whether a loop of the function is around a token.
    pub fn is_looped(&self, at: usize) -> bool {
        let own = |one: &&LoopSketch| self.body.contains(&(one.start as usize));
        self.loops.iter().filter(own).any(|one| (one.body as usize..one.end as usize).contains(&at))
    }

    /// Whether an error at a token is passed over: within a `try`, or where the result of the call is dropped.
    pub fn is_forgiven(&self, at: usize) -> bool {
        let code = &self.code;
        if code.indented() {
            return code.headers(self.body.start, at).skip(1).any(|line| code.word(line + 1) == "try");
        }
        let ends = |one: &usize| [b';', b'{', b'}'].iter().any(|&sign| code.is(*one, sign));
        let floor = self.body.start.max(at.saturating_sub(40));
        let start = (floor..at).rev().find(ends).map_or(floor, |before| before + 1);
        let drops = |one: usize| code.word(one) == "_" && (code.is(one + 1, b'=') || code.is(one + 1, b','));
        let head: Vec<usize> = (start..at).collect();
        let is_dropped =
            head.iter().any(|&one| drops(one)) && !head.iter().any(|&one| code.word(one) == "err");
        is_dropped
            || code.around(at).filter(|&open| open > floor).any(|open| {
                let close = code.matching(open);
                code.is(open, b'(')
                    && code.is(close + 1, b'.')
                    && code.word(close + 2) == "ok"
                    && code.is(close + 5, b';')
            })
    }

    /// Whether the call at a token adds the column for which a query failed, and nothing else: `try: SELECT a FROM t`, `except: ALTER
    /// TABLE t ADD COLUMN a`.
    pub fn answers_query(&self, at: usize) -> bool {
        let code = &self.code;
        if !code.indented() {
            return false;
        }
        let text = |at: usize| {
            let content = self.content(at).filter(|_| code.kind(at) == Some(Kind::Text));
            content.map(str::trim_start)
        };
        let Some((table, column)) = text(at + 2).and_then(added) else { return false };
        let line = code.headers(self.body.start, at).nth(1);
        let Some(except) = line.filter(|&line| code.word(line + 1) == "except") else { return false };
        let indentation = |line: usize| code.tokens().get(line).map(|token| token.end - token.start);
        let is_line = |line: usize| code.kind(line) == Some(Kind::Line);
        let is_try = |line: &usize| {
            is_line(*line) && indentation(*line) == indentation(except) && code.word(line + 1) == "try"
        };
        let Some(start) = (self.body.start..except).rev().take(LONGEST_TRY).find(is_try) else {
            return false;
        };
        let end = (except + 1..self.body.end)
            .find(|&line| is_line(line) && indentation(line) <= indentation(except));
        let changes = ["alter", "create", "insert", "update", "delete", "drop"];
        let is_change =
            |at: &usize| text(*at).is_some_and(|text| changes.iter().any(|verb| begins_with(text, verb)));
        (except..end.unwrap_or(self.body.end)).filter(is_change).count() == 1
            && (start..except)
                .filter_map(text)
                .filter(|text| begins_with(text, "select"))
                .any(|query| contains_word(query, table) && contains_word(query, column))
    }

    /// The arms that lead to a token of the function, from the inside out.
    pub fn arms(&self, at: usize) -> Vec<Arm> {
        let floor = self.body.start;
        let mut arms = if self.code.indented() {
            self.code.indented_arms(floor, at)
        } else {
            self.code.braced_arms(floor, at)
        };
        let leaving = self.leaving.get_or_init(|| {
            let forks = self.forks().iter();
            forks.filter_map(|&fork| self.code.leaving(fork)).collect()
        });
        let before = leaving.iter().take_while(|one| one.fork < at).filter(|one| one.end <= at);
        arms.extend(before.filter(|one| self.code.is_in_sight(floor, one, at)).map(Leaving::arm));
        arms
    }
}

/// The table and the column of an ALTER TABLE that adds one.
pub(crate) fn added(sql: &str) -> Option<(&str, &str)> {
    let mut words = sql.split(|one| !is_word(one)).filter(|word| !word.is_empty());
    let mut is = |word: &str| words.next().is_some_and(|one| one.eq_ignore_ascii_case(word));
    if !(is("alter") && is("table")) {
        return None;
    }
    let table = words.next()?;
    words.next().filter(|word| word.eq_ignore_ascii_case("add"))?;
    let column = words.next()?;
    let is_noise = column.eq_ignore_ascii_case("column");
    Some((table, if is_noise { words.next()? } else { column }))
}

impl Code<'_> {
    fn braced_arms(&self, floor: usize, at: usize) -> Vec<Arm> {
        let mut arms = Vec::new();
        // Where the statement may begin that the token belongs to, if no block is around that.
        let mut part = Some(at);
        for open in self.around(at).take_while(|&open| open > floor).take(DEEPEST) {
            if self.is(open, b'{') {
                arms.extend(part.and_then(|part| self.bare_arm(part, floor)));
                arms.extend(self.arm(open, floor, at));
                part = None;
            } else {
                part = Some(open);
            }
        }
        arms.extend(part.and_then(|part| self.bare_arm(part, floor)));
        arms
    }

    /// The arm that a statement is which no braces are around: `if (version < 3) migrate(db);`.
    fn bare_arm(&self, at: usize, floor: usize) -> Option<Arm> {
        let mut start = at;
        for _ in 0..LONGEST {
            let before = start.checked_sub(1).filter(|&before| before > floor)?;
            let condition = self.opening(before).filter(|&open| self.is(open, b'(') && open > floor);
            if let Some(open) = condition.filter(|&open| self.word(open - 1) == "if") {
                let fork = self.first_of(open - 1, floor);
                return Some(Arm { fork, start, condition: Some(open..start) });
            }
            start = self.before(start)?;
        }
        None
    }

    /// The token before one within an expression of names and calls.
    fn before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        let links = |one: usize| [b'.', b'?', b'!', b':'].iter().any(|&sign| self.is(one, sign));
        let is_name = self.tokens().get(before).is_some_and(|token| token.kind == Kind::Word);
        let is_called = self.is(at, b'(') || self.is(at, b'[') || links(at);
        if links(before) || (is_name && (is_called || matches!(self.word(before), "await" | "return"))) {
            return Some(before);
        }
        self.opening(before).filter(|_| is_called)
    }

    /// The arm that a block is, or holds.
    fn arm(&self, open: usize, floor: usize, at: usize) -> Option<Arm> {
        let branch: Branch = self.block(open, floor)?;
        if let Some(condition) = branch {
            return Some(Arm {
                fork: self.first_of(condition.start - 1, floor),
                start: open,
                condition: Some(condition),
            });
        }
        if self.word(open - 1) == "else" {
            let before = self.opener(open.checked_sub(2)?)?;
            let condition = self.block(before, floor)??;
            let fork = self.first_of(condition.start - 1, floor);
            return Some(Arm { fork, start: open, condition: Some(condition) });
        }
        let is_when = self.is_when(open);
        let is_label = |one: &usize| {
            let is_arrow = self.is(*one, b'=') || (is_when && self.is(*one, b'-'));
            (is_arrow && self.is(one + 1, b'>')) || matches!(self.word(*one), "case" | "default")
        };
        let mut last = None;
        let mut one = open + 1;
        while one < at {
            last = Some(one).filter(is_label).or(last);
            let behind = self.behind(one);
            one = if behind > at { one + 1 } else { behind };
        }
        Some(Arm { fork: open, start: last?, condition: None })
    }

    /// Whether a block holds the arms of a `when`, which have `->` behind what chooses them.
    fn is_when(&self, open: usize) -> bool {
        let Some(last) = open.checked_sub(1) else { return false };
        let head = self.opening(last).filter(|_| self.is(last, b')')).and_then(|head| head.checked_sub(1));
        self.word(head.unwrap_or(last)) == "when"
    }

    /// The number by which an arm is chosen: `version < 3`, `case 3:`, `3 =>`.
    pub fn version(&self, arm: &Arm) -> Option<u64> {
        let number = |at: usize| self.word(at).parse::<u64>().ok();
        let Some(condition) = arm.condition.clone().filter(|_| arm.start != BEHIND) else {
            let before = arm.start.checked_sub(1).filter(|_| arm.condition.is_none())?;
            return if self.word(arm.start) == "case" { number(arm.start + 1) } else { number(before) };
        };
        let compares = |at: usize| [b'<', b'>', b'='].iter().any(|&sign| self.is(at, sign));
        let mut numbers = condition.filter(|&at| number(at).is_some());
        numbers.find(|&at| compares(at - 1) || compares(at + 1)).and_then(number)
    }

    /// Whether an arm is chosen by `a < b`.
    pub fn is_below(&self, arm: &Arm) -> bool {
        let condition = arm.condition.clone().filter(|_| arm.start != BEHIND);
        condition.is_some_and(|mut condition| {
            condition.any(|at| self.is(at, b'<') && !self.is(at + 1, b'<') && !self.is(at - 1, b':'))
        })
    }

    /// The bracket that a token closes, however long it is.
    fn opener(&self, close: usize) -> Option<usize> {
        self.around(close)
            .chain(self.around(close.checked_sub(1)?))
            .find(|&open| self.matching(open) == close)
    }

    /// The first `if` of a chain of `else if`.
    fn first_of(&self, mut at: usize, floor: usize) -> usize {
        while let Some(close) =
            at.checked_sub(2).filter(|&close| self.word(at - 1) == "else" && self.is(close, b'}'))
        {
            let before = self.opener(close).and_then(|open| self.block(open, floor)).flatten();
            let Some(condition) = before else { break };
            at = condition.start - 1;
        }
        at
    }

    fn indented_arms(&self, floor: usize, at: usize) -> Vec<Arm> {
        let mut arms = Vec::new();
        for line in self.headers(floor, at).skip(1) {
            let word = self.word(line + 1);
            if !matches!(word, "if" | "elif" | "else") {
                continue;
            }
            let condition = (word != "else").then(|| line + 2..self.head_end(line + 1));
            arms.push(Arm { fork: self.first_line_of(floor, line), start: line, condition });
        }
        arms
    }

    /// The line of the `if` to which an `elif` or `else` belongs.
    fn first_line_of(&self, floor: usize, line: usize) -> usize {
        let indentation = |line: usize| self.tokens().get(line).map_or(0, |token| token.end - token.start);
        if self.word(line + 1) == "if" {
            return line;
        }
        let mut lines = (floor..line).rev().filter(|&one| self.kind(one) == Some(Kind::Line));
        lines.find(|&one| indentation(one) == indentation(line) && self.word(one + 1) == "if").unwrap_or(line)
    }

    /// The `if` at a token, where it leaves the function for no error.
    fn leaving(&self, fork: usize) -> Option<Leaving> {
        if self.word(fork) != "if" {
            return None;
        }
        let head = self.head_end(fork);
        if !self.indented() && !self.is(head, b'{') {
            return None;
        }
        let end = self.body_end(fork, head);
        self.returns(head..end).then_some(Leaving { fork, head, end })
    }

    /// Whether an `if` that stands before a token does so in a block around it.
    fn is_in_sight(&self, floor: usize, one: &Leaving, at: usize) -> bool {
        if self.indented() {
            let own = self.column(one.fork);
            return (one.end..at)
                .all(|line| self.kind(line) != Some(Kind::Line) || self.column(line + 1) >= own);
        }
        let block = self.around(one.fork).next().filter(|&open| open > floor);
        block.is_none_or(|block| self.around(at).any(|open| open == block))
    }

    /// How far a line is indented whose first token this is.
    fn column(&self, first: usize) -> u32 {
        let line = first.checked_sub(1).filter(|&line| self.kind(line) == Some(Kind::Line));
        line.and_then(|line| self.tokens().get(line)).map_or(u32::MAX, |token| token.end - token.start)
    }

    /// Whether an `if` that begins behind a token is around another one.
    fn is_asked(&self, start: usize, at: usize) -> bool {
        if self.indented() {
            return self
                .headers(start, at)
                .any(|line| line > start && matches!(self.word(line + 1), "if" | "elif"));
        }
        let asks = |open: usize| {
            self.is(open, b'{') && self.block(open, start).is_some_and(|branch| branch.is_some())
        };
        self.around(at).take_while(|&open| open > start).any(asks) || self.bare_arm(at, start).is_some()
    }

    /// Whether a body ends the function, and not with an error. What an `if` within it asks first may be whether something failed.
    fn returns(&self, body: Range<usize>) -> bool {
        let (start, close) = (body.start, body.end);
        let is_plain = |&at: &usize| {
            let said = at + 1..close.min(at + 12);
            let ends = |one: &usize| {
                self.is(*one, b';') || self.is(*one, b'}') || self.kind(*one) == Some(Kind::Line)
            };
            let mut words = said.take_while(|one| !ends(one)).map(|one| self.word(one));
            !words.any(|word| matches!(word, "Err" | "err" | "error" | "Error" | "fmt"))
        };
        let returns = body.filter(|&at| self.word(at) == "return").filter(is_plain);
        returns.take(RETURNS).any(|at| !self.is_asked(start, at) && !self.is_caught(start, at))
    }

    /// Whether a token stands where an error is caught, in braces that begin behind another one: `catch (e: Exception) {`.
    fn is_caught(&self, start: usize, at: usize) -> bool {
        let catches = |open: usize| {
            let head = (open.saturating_sub(CATCH)..open).rev().take_while(|&at| !self.is(at, b'}'));
            self.is(open, b'{') && head.into_iter().any(|at| self.word(at) == "catch")
        };
        self.around(at).take_while(|&open| open > start).any(catches)
    }
}

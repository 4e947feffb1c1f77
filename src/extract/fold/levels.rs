//! Which branches stand around a piece of a text that is put together, so that pieces of one way through a function come
//! together, and those of two ways do not. Knows the shape of branches; evaluates no condition.

use crate::extract::{code::Code, lexer::Kind};
use std::ops::Range;

/// How far back the header of a block is sought, in tokens.
const LONGEST: usize = 120;

/// The longest block of arms that is read, in tokens: each of its names asks for it.
const LONGEST_CHOICE: usize = 8192;

/// A branch around a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    /// The first token of the choice that it is an arm of.
    pub choice: u32,
    /// The token of the arm.
    pub arm: u32,
    /// Whether one of the arms is taken in any case.
    pub complete: bool,
    /// How many arms the choice has.
    pub arms: u32,
    /// Whether it is a loop.
    pub repeats: bool,
    /// Whether the arm leaves the function.
    pub leaves: bool,
}

/// A branch that is taken or not.
fn alone(at: usize) -> Level {
    Level { choice: at as u32, arm: at as u32, complete: false, arms: 1, repeats: false, leaves: false }
}

/// A loop.
fn repeated(at: usize) -> Level {
    Level { repeats: true, ..alone(at) }
}

/// What announces a block.
enum Header {
    /// It is run in any case.
    Plain,
    /// The `if` of the first arm stands here.
    If(usize),
    /// An `else`.
    Else(usize),
    /// The block holds arms.
    Arms,
    /// Its arm stands in the block around.
    Arm,
    /// It may be run or not.
    Perhaps,
    /// It may be run any number of times.
    Loop,
}

impl Code<'_> {
    /// The branches around a token, behind `floor`, from the outside in.
    pub(super) fn levels(&self, floor: usize, at: usize) -> Vec<Level> {
        let mut found = if self.indented() { self.lines_around(floor, at) } else { self.blocks(floor, at) };
        found.reverse();
        found
    }

    /// The condition of an arm, where that begins with one.
    pub(super) fn condition(&self, level: Level) -> Option<Range<usize>> {
        let arm = level.arm as usize;
        if self.indented() {
            let is_if = matches!(self.word(arm + 1), "if" | "elif" | "elsif");
            return is_if.then(|| arm + 2..self.line_end(arm));
        }
        if self.is(arm, b'{') {
            let Header::If(word) = self.header(arm) else { return None };
            return Some(word + 1..arm);
        }
        (self.word(arm) == "if").then(|| arm + 1..self.matching(arm + 1))
    }

    fn blocks(&self, floor: usize, at: usize) -> Vec<Level> {
        let mut found: Vec<Level> = Vec::new();
        found.extend(self.single(at));
        for open in self.around(at).take_while(|&open| open > floor) {
            if !self.is(open, b'{') {
                continue;
            }
            match self.header(open) {
                Header::Plain | Header::Arm => {}
                Header::If(word) => found.push(self.if_level(word, open)),
                Header::Else(word) => found.push(self.else_level(word, open)),
                Header::Arms => found.extend(self.arm_level(open, at)),
                Header::Perhaps => found.push(alone(open)),
                Header::Loop => found.push(repeated(open)),
            }
        }
        found
    }

    /// What stands in front of a block.
    fn header(&self, open: usize) -> Header {
        let Some(last) = open.checked_sub(1) else { return Header::Plain };
        if self.word(last) == "else" {
            return Header::Else(last);
        }
        let arrow = self.is(last, b'>') && open > 1 && (self.is(open - 2, b'=') || self.is(open - 2, b'-'));
        if arrow {
            return Header::Arm;
        }
        if b";{}|:".iter().any(|&sign| self.is(last, sign)) {
            return Header::Plain;
        }
        let mut at = last;
        while open - at < LONGEST {
            match self.word(at) {
                "if" | "elseif" => return Header::If(at),
                "for" | "foreach" | "while" | "loop" | "until" | "repeat" => return Header::Loop,
                "catch" => return Header::Perhaps,
                "switch" | "match" | "when" | "select" => return Header::Arms,
                "fn" | "func" | "function" | "fun" | "class" | "impl" | "unsafe" | "try" | "async" => {
                    return Header::Plain;
                }
                // `value?.let { … }`
                "let" if self.by_lines() && at == last => return Header::Perhaps,
                _ => {}
            }
            let ends = self.is(at, b'{') || (self.is(at, b';') && !self.by_lines());
            if ends || (self.by_lines() && self.is_on_new_line(at) && at < last && !self.goes_on(at)) {
                return Header::Plain;
            }
            let next = if self.closes(at) { self.opening(at) } else { Some(at) };
            let Some(before) = next.and_then(|at| at.checked_sub(1)) else { return Header::Plain };
            at = before;
        }
        Header::Plain
    }

    /// Whether the line before goes on at a token.
    fn goes_on(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| b",.+-*/&|=(?:".iter().any(|&sign| self.is(before, sign)))
    }

    fn if_level(&self, word: usize, open: usize) -> Level {
        let mut first = word;
        let mut arms = 1;
        while let Some(before) = self.earlier_arm(first) {
            first = before;
            arms += 1;
        }
        let (later, complete) = self.later_arms(open);
        Level {
            choice: first as u32,
            arm: open as u32,
            complete,
            arms: arms + later,
            repeats: false,
            leaves: self.leaves_function(open, self.matching(open)),
        }
    }

    fn else_level(&self, word: usize, open: usize) -> Level {
        match self.arm_before(word) {
            Some(before) => Level { arm: open as u32, complete: true, ..self.if_level(before, open) },
            None => alone(open),
        }
    }

    /// The `if` whose arm ends in front of the `else` of this one.
    fn earlier_arm(&self, word: usize) -> Option<usize> {
        if self.word(word) == "elseif" {
            return self.arm_before(word);
        }
        let before = word.checked_sub(1).filter(|&before| self.word(before) == "else")?;
        self.arm_before(before)
    }

    /// The `if` of the arm that ends in front of a token.
    fn arm_before(&self, at: usize) -> Option<usize> {
        let close = at.checked_sub(1)?;
        if self.is(close, b'}') {
            return match self.header(self.opening(close)?) {
                Header::If(word) => Some(word),
                _ => None,
            };
        }
        // `if (a) one; else other;`
        let from = close.saturating_sub(LONGEST);
        (from..close).rev().find(|&at| self.word(at) == "if" && self.is(at + 1, b'('))
    }

    /// How many arms follow a block, and whether the last is an `else`.
    fn later_arms(&self, open: usize) -> (u32, bool) {
        let mut close = self.matching(open);
        let mut arms = 0;
        loop {
            let otherwise = self.word(close + 1);
            if !matches!(otherwise, "else" | "elseif") {
                return (arms, false);
            }
            if otherwise == "else" && self.word(close + 2) != "if" {
                return (arms + u32::from(!self.leaves_function(close + 2, self.matching(close + 2))), true);
            }
            arms += 1;
            let end = self.length().min(close + LONGEST);
            let mut at = close + 2;
            while at < end && !self.is(at, b'{') {
                at = self.behind(at);
            }
            if at >= end {
                return (arms, false);
            }
            close = self.matching(at);
        }
    }

    /// The arm of a `match`, a `switch` or a `when` that a token stands in.
    fn arm_level(&self, open: usize, at: usize) -> Option<Level> {
        let close = self.matching(open);
        if close - open > LONGEST_CHOICE {
            return None;
        }
        let (mut arm, mut arms, mut complete, mut leaves) = (None, 0, false, false);
        let mut next = open + 1;
        let mut has_labels = false;
        while next < close {
            let word = self.word(next);
            let label = matches!(word, "case" | "default") && !self.is(next - 1, b'.');
            let arrow =
                (self.is(next, b'=') || self.is(next, b'-')) && self.is(next + 1, b'>') && !has_labels;
            has_labels |= label;
            if label || arrow {
                // What leaves the function is no way to the other side.
                let is_exit = if arrow { self.is_exit(next + 2) } else { self.leaves_function(next, close) };
                arms += u32::from(!is_exit);
                let before = self.word(next - 1);
                let all = word == "default" || (arrow && (matches!(before, "else" | "_")));
                // A `match` on anything else than a literal has all arms that there can be.
                complete |= all || (arrow && self.language().block_values);
                if next < at {
                    (arm, leaves) = (Some(next as u32), is_exit);
                }
            }
            next = self.behind(next);
        }
        Some(Level { choice: open as u32, arm: arm?, complete, arms, repeats: false, leaves })
    }

    /// The branch whose body is the statement around a token, without braces.
    fn single(&self, at: usize) -> Option<Level> {
        if !self.language().parenthesised {
            return None;
        }
        let floor = at.saturating_sub(LONGEST);
        let mut first = at;
        while first > floor {
            let before = first - 1;
            if self.word(before) == "else" {
                let choice = self.arm_before(before).unwrap_or(before);
                let (choice, arm) = (choice as u32, before as u32);
                return Some(Level { choice, arm, complete: true, arms: 2, ..alone(before) });
            }
            if self.is(before, b')') {
                let open = self.opening(before)?;
                let word = open.checked_sub(1)?;
                match self.word(word) {
                    "if" => return Some(self.single_if(word, first)),
                    "for" | "foreach" | "while" => return Some(repeated(word)),
                    _ => {}
                }
                first = open;
                continue;
            }
            let arrow = self.is(before, b'>') && (self.is(before - 1, b'=') || self.is(before - 1, b'-'));
            if arrow || b";{}:".iter().any(|&sign| self.is(before, sign)) || self.opens(before) {
                return None;
            }
            first = if self.closes(before) { self.opening(before)? } else { before };
        }
        None
    }

    fn single_if(&self, word: usize, body: usize) -> Level {
        let end = self.length().min(body + LONGEST);
        let mut at = body;
        while at < end && !self.is(at, b';') && !self.closes(at) {
            at = self.behind(at);
        }
        let has_else = self.is(at, b';') && self.word(at + 1) == "else";
        let chained = self.earlier_arm(word);
        Level {
            choice: chained.unwrap_or(word) as u32,
            arm: word as u32,
            complete: has_else && chained.is_none(),
            arms: 1 + u32::from(has_else) + u32::from(chained.is_some()),
            ..alone(word)
        }
    }

    /// The same where indentation makes the blocks.
    fn lines_around(&self, floor: usize, at: usize) -> Vec<Level> {
        let mut found = Vec::new();
        let mut is_own = true;
        for line in self.headers(floor, at) {
            let own = std::mem::take(&mut is_own);
            let word = self.word(line + 1);
            if own {
                let on_line = |at: &usize| self.kind(*at) != Some(Kind::Line);
                let mut behind = (at..self.length().min(at + LONGEST)).take_while(on_line);
                if self.language().commands && behind.any(|at| matches!(self.word(at), "if" | "unless")) {
                    found.push(alone(at));
                }
                // A header with its body on the same line.
                if self.line_end(line) >= at {
                    continue;
                }
            }
            match word {
                "if" | "unless" => found.push(self.line_level(line, line)),
                "elif" | "else" | "elsif" | "case" | "when" => {
                    let first = self.first_line(line, word);
                    found.push(first.map_or(alone(line), |first| self.line_level(first, line)));
                }
                "for" | "while" | "until" => found.push(repeated(line)),
                "except" | "rescue" => found.push(alone(line)),
                _ => {}
            }
        }
        found
    }

    fn indentation(&self, line: usize) -> u32 {
        self.tokens().get(line).map_or(0, |token| token.end - token.start)
    }

    /// The line on which the choice starts that an arm belongs to.
    fn first_line(&self, arm: usize, word: &str) -> Option<usize> {
        let own = self.indentation(arm);
        let in_block = word == "case";
        (arm.saturating_sub(2000)..arm).rev().find(|&line| {
            if self.kind(line) != Some(Kind::Line) {
                return false;
            }
            let indentation = self.indentation(line);
            let first = self.word(line + 1);
            (indentation == own && !in_block && matches!(first, "if" | "unless" | "case" | "for" | "try"))
                || (indentation < own && in_block)
        })
    }

    /// The arm on a line of the choice that starts on another.
    fn line_level(&self, first: usize, arm: usize) -> Level {
        let own = self.indentation(arm);
        let (mut arms, mut complete) = (0, false);
        for line in (first..self.length()).filter(|&line| self.kind(line) == Some(Kind::Line)) {
            let indentation = self.indentation(line);
            let word = self.word(line + 1);
            if indentation < own && line > first {
                break;
            }
            if indentation != own || line < first {
                continue;
            }
            match word {
                "if" | "unless" if line == first => arms += 1,
                "elif" | "elsif" | "when" => arms += 1,
                "case" => {
                    arms += 1;
                    complete |= self.word(line + 2) == "_";
                }
                "else" => {
                    arms += 1;
                    complete = true;
                }
                _ if line > arm => break,
                _ => {}
            }
        }
        Level { choice: first as u32, arm: arm as u32, complete, arms: arms.max(1), ..alone(arm) }
    }
}

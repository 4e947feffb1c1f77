//! What is named to be called later, and what is called to run beside the function around. An `impl` of [`Walker`], apart for
//! its length.

use super::Walker;
use crate::extract::lexer::Kind;
use std::ops::Range;

impl Walker<'_> {
    /// A name at the end of a value: `f := store.One`, `{Run: f}`.
    pub(super) fn hand_on(&mut self, at: usize, sign: u8) {
        if self.language.launching == self.slice(at) {
            self.going = (self.slice(at + 1) == self.language.function).then_some(self.openers.len() as u32);
            return;
        }
        let Some(before) = at.checked_sub(1) else { return };
        let behind = |signs: &[u8]| signs.iter().any(|&sign| self.is(before, sign));
        let is_value = if sign == b'}' {
            behind(b":.,{")
        } else {
            // A type stands like that, too.
            self.place().0 != super::NOWHERE && behind(b".=") && self.ends_line(at)
        };
        if is_value {
            self.call(at, false);
        }
    }

    /// Whether a name is the end of a value that is kept, and none of the parameters: `self.job = prune`, `Store { job: prune }`.
    pub(super) fn keeps(&self, at: usize, sign: u8) -> bool {
        let is_end = match sign {
            b'}' | b']' => true,
            b';' => !self.language.indented,
            _ => self.language.indented && self.ends_line(at),
        };
        let is_own = at > 1 && self.is(at - 1, b'.');
        // A field of something else is a value of its own, and in Rust a method has no such name.
        if !is_end || (is_own && !(self.language.indented && self.slice(at - 2) == "self")) {
            return false;
        }
        let first = if is_own { at - 2 } else { at };
        let behind = |signs: &[u8]| signs.iter().any(|&sign| self.is(first.wrapping_sub(1), sign));
        let is_path = || first > 1 && self.is(first - 1, b':') && self.is(first - 2, b':');
        let is_kept = behind(b"=") || (b"}]".contains(&sign) && behind(b":,[") && !is_path());
        is_kept && (is_own || !self.is_parameter(self.slice(at)))
    }

    /// Whether the function around has a parameter of this name.
    fn is_parameter(&self, name: &str) -> bool {
        const LONGEST_HEAD: usize = 160;
        let function = self.found.functions.get(self.place().0 as usize);
        let Some(start) = function.map(|function| function.name as usize + 1) else { return false };
        let mut depth = 0_usize;
        for at in start..self.tokens.len().min(start + LONGEST_HEAD) {
            if self.is(at, b'(') {
                depth += 1;
            } else if self.is(at, b')') {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return false;
                }
            } else if self.kind(at) == Some(Kind::Word) && self.slice(at) == name {
                return true;
            }
        }
        false
    }

    /// Whether a bracket around belongs to a method that runs its closure once per element.
    pub(super) fn in_loop_closure(&self) -> bool {
        !self.closures.is_empty()
    }

    pub(super) fn ends_line(&self, at: usize) -> bool {
        let (Some(this), Some(next)) = (self.tokens.get(at), self.tokens.get(at + 1)) else { return true };
        self.text.get(this.end as usize..next.start as usize).is_some_and(|between| between.contains('\n'))
    }

    /// Whether a word is the name of a call whose arguments run beside the function around: `spawn(`.
    pub(super) fn launches(&self, at: usize) -> bool {
        let name = self.slice(at);
        // What blocks a thread is waited for.
        let has = |word: &&str| {
            name == *word || (name.split('_').any(|part| part == *word) && !name.contains("blocking"))
        };
        self.kind(at) == Some(Kind::Word) && self.language.launches.iter().any(has)
    }

    /// Takes note of the brace of a function that is written behind `go`.
    pub(super) fn open_beside(&mut self, brace: usize, level: u32) {
        if self.going.take_if(|going| *going == level).is_some() {
            self.beside.push(brace as u32);
        }
    }

    /// The brace that opens the body of a function literal, from behind its parameters on; nothing where its type stands alone:
    /// `var answer func(r *http.Request)`, `map[string]func(*gin.Context){…}`.
    pub(super) fn literal_body(&self, function: usize, behind: usize) -> Option<usize> {
        const MOST: usize = 16;
        let is_of_type = |before: usize| b"]*".iter().any(|&sign| self.is(before, sign));
        if function.checked_sub(1).is_some_and(is_of_type) {
            return None;
        }
        let is_type = |at: usize| matches!(self.slice(at.saturating_sub(1)), "interface" | "struct");
        let mut depth = 0_u32;
        for at in behind..self.tokens.len().min(behind + MOST) {
            if self.is(at, b'{') && depth == 0 && !is_type(at) {
                return Some(at);
            }
            if self.is(at, b'(') {
                depth += 1;
            } else if self.is(at, b')') {
                depth = depth.checked_sub(1)?;
            }
            let ends = b",;=".iter().any(|&sign| self.is(at, sign)) && depth == 0;
            if ends || self.ends_line(at) {
                return None;
            }
        }
        None
    }

    /// Whether parameters are those of a function that answers requests: `func(w http.ResponseWriter, r *http.Request)`.
    pub(super) fn serves(&self, parameters: Range<usize>) -> bool {
        const TYPES: [(&str, &str); 6] = [
            ("http", "Request"),
            ("http", "ResponseWriter"),
            ("gin", "Context"),
            ("echo", "Context"),
            ("fiber", "Ctx"),
            ("fasthttp", "RequestCtx"),
        ];
        let is_dot = |&at: &usize| self.is(at, b'.');
        parameters
            .filter(is_dot)
            .any(|at| TYPES.contains(&(self.slice(at.saturating_sub(1)), self.slice(at + 1))))
    }

    /// Whether the path of names that ends at a token stands behind `go`: `go p.loop()`.
    pub(super) fn is_behind_go(&self, at: usize) -> bool {
        if self.language.launching.is_empty() {
            return false;
        }
        let mut start = at;
        while start > 1 && self.is(start - 1, b'.') && self.kind(start - 2) == Some(Kind::Word) {
            start -= 2;
        }
        start.checked_sub(1).is_some_and(|before| self.slice(before) == self.language.launching)
    }

    /// Whether the path of names that ends at a token stands behind a comma: it is the last of several in their brackets.
    pub(super) fn is_last_of(&self, at: usize) -> bool {
        let mut start = at;
        loop {
            let before = |back: usize| start.checked_sub(back);
            let is = |back: usize, sign: u8| before(back).is_some_and(|at| self.is(at, sign));
            let length = if is(1, b'.') { 2 } else { 3 };
            let is_path = length == 2 || (is(1, b':') && is(2, b':'));
            match before(length).filter(|&at| is_path && self.kind(at) == Some(Kind::Word)) {
                Some(next) => start = next,
                None => return is(1, b','),
            }
        }
    }

    /// Takes note of what is named in a value outside of all functions.
    pub(super) fn list(&mut self, at: usize) {
        let key =
            at.checked_sub(2).filter(|&key| self.is(at - 1, b':') && self.kind(key) == Some(Kind::Word));
        let whole = self.named.filter(|&(_, depth)| self.openers.len() as u32 > depth);
        let of = key.map(|key| key as u32).into_iter().chain(whole.map(|(name, _)| name));
        self.found.listed.extend(of.map(|of| (at as u32, of)));
    }
}

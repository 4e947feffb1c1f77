//! Signs: brackets open and close scopes, attributes tell test code. An `impl` of [`Walker`], apart for its length.

use super::{NOWHERE, Pending, ScopeKind, Walker};
use crate::extract::{code::is_routed, lexer::Kind};

impl Walker<'_> {
    pub(super) fn sign(&mut self, at: usize, byte: u8) {
        match byte {
            b'(' | b'[' => self.open_bracket(at),
            b')' | b']' => {
                let opener = self.openers.pop();
                self.found.brackets.shut(at);
                self.closures.pop_if(|closure| Some(*closure) == opener);
                self.beside.pop_if(|beside| Some(*beside) == opener);
                if self.expressions > 0 {
                    self.leave_inner(at);
                }
            }
            b'{' => self.open_brace(at),
            b'}' => self.close_brace(at),
            b',' | b';' if self.expressions > 0 => {
                self.end_expressions(at);
                self.pending = self.pending.rest();
            }
            b'>' if self.language.bare_functions => self.expression_body(at),
            b',' if self.pending.function.is_none() => {
                let implementing = self.pending.implementing;
                // `#[cfg(any(test, debug))] impl<A, B> Read for Store<A, B> {`
                let is_test = self.pending.is_test && (implementing.is_some() || self.is_in_attribute());
                self.pending = Pending { implementing, is_test, ..self.goes_on() };
            }
            b';' if self.openers.len() as u32 <= self.pending.function_depth
                || self.pending.function.is_none() =>
            {
                self.pending = self.pending.rest();
            }
            b'=' if self.language.equals_bodies => self.equals_body(),
            b'#' if self.is(at + 1, b'[') => self.attribute(at + 2),
            b'@' if self.language.test_marks.contains(&self.slice(at + 1)) => self.pending.is_test = true,
            b'@' if self.language.indented && self.line + 1 == at => self.pending.is_registered = true,
            _ => {}
        }
    }

    fn open_bracket(&mut self, at: usize) {
        self.openers.push(at as u32);
        self.found.brackets.open(at);
        if self.language.typed && self.language.test_marks.contains(&self.slice(at + 1)) {
            self.pending.is_test |= self.is(at, b'[');
        }
        let Some(before) = at.checked_sub(1) else { return };
        if !self.language.launches.is_empty() && self.launches(before)
            || is_routed(self.text, &self.tokens, at)
        {
            self.beside.push(at as u32);
        }
        if self.may_be_in(&self.repeating, before) && self.language.loop_methods.contains(&self.slice(before))
        {
            self.closures.push(at as u32);
        }
    }

    fn open_brace(&mut self, at: usize) {
        let level = self.openers.len() as u32;
        self.openers.push(at as u32);
        self.found.brackets.open(at);
        if self.language.indented {
            if self.repeats_block(at) {
                self.closures.push(at as u32);
            }
            return;
        }
        self.open_beside(at, level);
        let before = at.checked_sub(1).map_or("", |before| self.slice(before));
        let type_literal = matches!(before, "interface" | "struct");
        let is_test = self.pending.is_test;
        let bare = if self.language.bare_functions { self.bare_function(at) } else { None };
        if let Some(name) = bare {
            self.enter_bare(name, level, false);
        } else if let Some(name) =
            self.pending.function.filter(|_| level == self.pending.function_depth && !type_literal)
        {
            let index = self.add_function(name);
            self.enter(ScopeKind::Function(index), level, is_test);
            self.pending = Pending::default();
        } else if let Some(name) = self.declared_block(at) {
            self.enter_bare(name, level, false);
        } else if self.runs_when_made(at) {
            let index = self.add_function(at as u32);
            self.enter(ScopeKind::Function(index), level, is_test);
            self.pending = Pending::default();
        } else if self.repeats_block(at) {
            let index = self.add_loop(at as u32 - 1, at);
            self.enter(ScopeKind::Loop(index), level, false);
        } else if let Some(start) =
            self.pending.looping.filter(|_| level <= self.pending.looping_depth && !self.ends_value(at))
        {
            let index = self.add_loop(start, at);
            self.enter(ScopeKind::Loop(index), level, false);
            self.pending.looping = None;
        } else if self.pending.function.is_none() {
            match self.pending.implementing.filter(|_| self.pending.looping.is_none()) {
                Some(start) => {
                    let typed = self.implemented(start as usize, at);
                    if self.slice(start as usize) == "trait" {
                        self.found.types.push(typed.0);
                    }
                    self.enter_type(typed, level, is_test);
                }
                None => self.enter(ScopeKind::Block, level, is_test),
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.is_interface = before == "interface";
            }
            self.pending = self.goes_on();
        }
    }

    /// The name that is given what a call makes of the block that a brace opens, outside of all functions:
    /// `val MIGRATION = Migration(1, 2) { … }`.
    fn declared_block(&mut self, brace: usize) -> Option<usize> {
        let trails = self.language.breaks && !self.language.function.is_empty() && !self.language.receivers;
        if !trails || self.place().0 != NOWHERE || self.pending.implementing.is_some() {
            return None;
        }
        let name = self.declared.take().filter(|name| brace - name < 40)?;
        (name..brace).all(|at| !self.is(at, b'}')).then_some(name)
    }

    /// Whether a brace opens what runs when a value of the type around is made: `init { … }`, `using(statement) { … }`. It is a
    /// function without a name.
    fn runs_when_made(&self, brace: usize) -> bool {
        let is_beside = self.language.body_runs && self.place().0 == NOWHERE && self.owner() != NOWHERE;
        if !is_beside || self.pending.implementing.is_some() || self.pending.looping.is_some() {
            return false;
        }
        let Some(before) = brace.checked_sub(1) else { return false };
        self.is(before, b')') || (self.kind(before) == Some(Kind::Word) && !self.repeats_block(brace))
    }

    /// Whether a method runs the block that a brace opens once per element: `all.forEach { … }`.
    fn repeats_block(&self, brace: usize) -> bool {
        let Some(method) = brace.checked_sub(1).filter(|&method| self.may_be_in(&self.repeating, method))
        else {
            return false;
        };
        self.kind(method) == Some(Kind::Word) && self.language.loop_methods.contains(&self.slice(method))
    }

    /// `fun name(a: A) = value`: the body is the value.
    fn equals_body(&mut self) {
        let level = self.openers.len() as u32;
        if let Some(name) = self.pending.function.filter(|_| level == self.pending.function_depth) {
            self.enter_bare(name as usize, level, true);
        }
    }

    /// Leaves the bodies without braces that stood in the bracket just closed.
    fn leave_inner(&mut self, at: usize) {
        let level = self.openers.len() as u32;
        while self.scopes.last().is_some_and(|scope| scope.is_expression && scope.level > level) {
            self.leave(at);
        }
    }

    /// Whether a brace holds the elements of a list or map, as in `range []string{…}`.
    fn ends_value(&self, brace: usize) -> bool {
        let mut at = brace;
        while let Some(before) = at.checked_sub(1) {
            if !(self.kind(before) == Some(Kind::Word) || self.is(before, b'.') || self.is(before, b'*')) {
                return at < brace && self.is(before, b']') && self.language.receivers;
            }
            at = before;
        }
        false
    }

    /// The name of the type between `impl` and the brace of its methods, or of the trait; and, of `impl Trait for Type`, that
    /// of the trait.
    fn implemented(&self, start: usize, brace: usize) -> (u32, u32) {
        let (mut angles, mut name, mut implements) = (0_u32, NOWHERE, NOWHERE);
        for at in start + 1..brace {
            if self.is(at, b'<') {
                angles += 1;
            } else if self.is(at, b'>') {
                angles = angles.saturating_sub(1);
            } else if angles == 0 && self.is(at, b':') && !self.is(at + 1, b':') && !self.is(at - 1, b':') {
                // Behind it stand the traits that a trait asks for.
                break;
            } else if angles == 0 && self.kind(at) == Some(Kind::Word) {
                match self.slice(at) {
                    "where" => break,
                    "for" => (implements, name) = (name, NOWHERE),
                    _ if name == NOWHERE || self.is(at - 1, b':') && self.is(at - 2, b':') => {
                        name = at as u32;
                    }
                    _ => {}
                }
            }
        }
        (name, implements)
    }

    /// What outlives a `,` or a block; among the arguments of a decorator, that it is one.
    fn goes_on(&self) -> Pending {
        let is_registered = self.pending.is_registered && self.language.indented && !self.openers.is_empty();
        Pending { is_registered, ..self.pending.rest() }
    }

    fn close_brace(&mut self, at: usize) {
        let opener = self.openers.pop();
        self.found.brackets.shut(at);
        self.closures.pop_if(|closure| Some(*closure) == opener);
        self.beside.pop_if(|beside| Some(*beside) == opener);
        if !self.language.indented {
            let level = self.openers.len() as u32;
            let in_header = level >= self.pending.looping_depth;
            // `func save(value interface{}) error {`: the braces of a type end no header.
            let is_inside = self.pending.function.is_some_and(|name| opener.is_some_and(|open| open > name));
            if !is_inside {
                self.pending = if in_header { self.pending.rest() } else { Pending::default() };
            }
            // A body without braces around a block goes on behind it.
            while self
                .scopes
                .last()
                .is_some_and(|scope| scope.level >= level + u32::from(scope.is_expression))
            {
                self.leave(at);
            }
            self.end_single(at, level);
        }
    }

    /// Whether the walk is within `#[…]`.
    fn is_in_attribute(&self) -> bool {
        let is_mark = |opener: &u32| opener.checked_sub(1).is_some_and(|mark| self.is(mark as usize, b'#'));
        self.openers.iter().rev().any(is_mark)
    }

    /// `#[test]`, `#[cfg(test)]`, `#[tokio::test]` make test code; others, but for the inert ones, may register.
    fn attribute(&mut self, from: usize) {
        const INERT: [&str; 15] = [
            "inline",
            "allow",
            "expect",
            "doc",
            "cfg",
            "cfg_attr",
            "must_use",
            "deprecated",
            "derive",
            "warn",
            "deny",
            "track_caller",
            "cold",
            "instrument",
            "async_trait",
        ];
        let mut depth = 1_u32;
        let (mut negated, mut is_test) = (false, false);
        // `any(test, feature = "server")` is in what is built without tests, too.
        let (mut has_any, mut has_other) = (false, false);
        // `cfg_attr(test, …)` changes an attribute and not the code.
        let conditional = self.slice(from) == "cfg_attr";
        for at in from..(from + 64).min(self.tokens.len()) {
            if self.is(at, b'[') {
                depth += 1;
            } else if self.is(at, b']') {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            match self.slice(at) {
                "not" => negated = true,
                "any" => has_any = true,
                "test" | "tests" | "rstest" | "test_case" | "bench" if !negated && !conditional => {
                    is_test = true;
                }
                "cfg" | "all" | "feature" => {}
                other => has_other |= self.kind(at) == Some(Kind::Word) || is_shipped(other),
            }
        }
        self.pending.is_test |= is_test && !(has_any && has_other);
        if !INERT.contains(&self.slice(from)) && !self.pending.is_test {
            self.pending.is_registered = true;
        }
    }
}

/// Whether a text in an attribute names a feature of the program, and not of its tests.
fn is_shipped(text: &str) -> bool {
    text.starts_with('"') && !["test", "mock"].iter().any(|word| text.contains(word))
}

//! Headers: words that announce functions, loops, classes and modules. An `impl` of [`Walker`], apart for its length.

use super::{NOWHERE, Pending, ScopeKind, Walker};
use crate::extract::lexer::Kind;

impl Walker<'_> {
    /// Words that announce a function, a loop, an implementation or a module; false for all others.
    pub(super) fn announcement(&mut self, at: usize, word: &str) -> bool {
        // In a language whose statements end with their lines, nothing ends a function without a body.
        if self.language.breaks && self.pending.function.is_some() && self.declares_anew(at, word) {
            self.pending.function = None;
        }
        if word == self.language.function {
            self.function_header(at);
        } else if self.language.declares.contains(&word) {
            self.declare(at);
        } else if self.language.loops.contains(&word) {
            self.loop_header(at);
        } else if self.language.indented && word == "class" && self.line + 1 == at {
            let is_test = self.slice(at + 1).starts_with("Test");
            let level = self.line_indentation();
            self.found.types.push(at as u32 + 1);
            self.enter_type((at as u32 + 1, self.first_base(at + 2)), level, is_test);
        } else if self.language.types.contains(&word) && !self.language.indented && !self.is_member(at) {
            // `fn f(x: impl Trait)` implements nothing.
            self.pending.implementing = Some(at as u32).filter(|_| self.pending.function.is_none());
        } else if word == "mod" && self.pending.is_test && self.is(at + 2, b';') {
            self.found.test_modules.push(at as u32 + 1);
        } else {
            return false;
        }
        true
    }

    /// Whether a word declares something beside the function announced.
    fn declares_anew(&self, at: usize, word: &str) -> bool {
        let declares = self.language.types.contains(&word) && !self.is_member(at);
        (declares || self.language.declares.contains(&word))
            && self.openers.len() as u32 == self.pending.function_depth
    }

    /// Whether a word is a part of a value, as in `Name::class` and `Name.class`.
    fn is_member(&self, at: usize) -> bool {
        let is = |back: usize, sign: u8| at.checked_sub(back).is_some_and(|before| self.is(before, sign));
        is(1, b'.') || (is(1, b':') && is(2, b':'))
    }

    /// The last word of the first base of a class that names any, from its parenthesis on: `(web.Handler, Mixed)`.
    fn first_base(&self, open: usize) -> u32 {
        if !self.is(open, b'(') {
            return NOWHERE;
        }
        let mut name = open + 1;
        while self.is(name + 1, b'.') {
            name += 2;
        }
        let ends = [b',', b')', b'['].iter().any(|&byte| self.is(name + 1, byte));
        if ends && self.kind(name) == Some(Kind::Word) { name as u32 } else { NOWHERE }
    }

    fn line_indentation(&self) -> u32 {
        self.tokens.get(self.line).map_or(0, |token| token.end - token.start)
    }

    fn function_header(&mut self, at: usize) {
        if self.language.indented {
            // `def self.name`
            let on_type = self.language.commands && self.is(at + 2, b'.');
            let index = self.add_function(at as u32 + if on_type { 3 } else { 1 });
            let is_test = self.found.functions.get(index as usize).is_some_and(|function| function.is_test);
            let level = self.line_indentation();
            self.enter(ScopeKind::Function(index), level, is_test);
            self.pending = Pending::default();
            return;
        }
        // A method of Go names its receiver in parentheses first.
        let mut name = at + 1;
        let mut receiver = None;
        if self.is(name, b'(') && self.language.receivers {
            while name < self.tokens.len() && !self.is(name, b')') {
                name += 1;
            }
            receiver = (at + 2..name).rev().find(|&at| self.kind(at) == Some(Kind::Word));
            name += 1;
        }
        // `fun <T> T.name(`, `function &name(`
        if self.is(name, b'<') {
            while name < self.tokens.len() && !self.is(name, b'>') {
                name += 1;
            }
            name += 1;
        }
        name += usize::from(self.is(name, b'&'));
        while self.is(name + 1, b'.') || (self.is(name + 1, b'?') && self.is(name + 2, b'.')) {
            name += if self.is(name + 1, b'.') { 2 } else { 3 };
        }
        let named = self.kind(name) == Some(Kind::Word)
            && (self.is(name + 1, b'(') || self.is(name + 1, b'<') || self.is(name + 1, b'['));
        if named {
            self.pending.function = Some(name as u32);
            self.pending.receiver = receiver.map(|receiver| receiver as u32);
            self.pending.function_depth = self.openers.len() as u32;
        } else if self.language.receivers && self.going.is_none() && self.serves(at + 2..name) {
            self.beside.extend(self.literal_body(at, name).map(|body| body as u32));
        }
    }

    fn loop_header(&mut self, at: usize) {
        if self.language.indented {
            let starts_line = self.line + 1 == at || (self.line + 2 == at && self.slice(at - 1) == "async");
            let is_statement = starts_line && self.openers.is_empty();
            if is_statement || self.language.has_layout() {
                let index = self.add_loop(at as u32, at);
                let level = self.line_indentation();
                self.enter(ScopeKind::Loop(index), level, false);
            }
            return;
        }
        if self.language.parenthesised {
            // `a.for(…)` is a call.
            if !at.checked_sub(1).is_some_and(|before| self.is(before, b'.')) {
                self.parenthesised_loop(at);
            }
            return;
        }
        // `impl Trait for Type` and `for<'a>` are no loops.
        let is_loop = self.pending.implementing.is_none() && !self.is(at + 1, b'<');
        if is_loop {
            self.pending.looping = Some(at as u32);
            self.pending.looping_depth = self.openers.len() as u32;
        }
    }

    /// `all.each do |one|`: its block is what is indented below.
    pub(super) fn do_block(&mut self, at: usize) {
        let opens = (at + 1..at + 8).take_while(|&next| self.kind(next) != Some(Kind::Line));
        let is_block = opens.into_iter().any(|next| self.slice(next) == "do");
        if is_block && self.openers.is_empty() && self.language.loop_methods.contains(&self.slice(at)) {
            let index = self.add_loop(at as u32, at + 1);
            self.enter(ScopeKind::Loop(index), self.line_indentation(), false);
        }
    }
}

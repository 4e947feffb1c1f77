//! One walk over the tokens of a file: its functions, loops, calls, named values, and the texts that may be SQL.
//! Knows the shape of code, as far as a [`Language`] describes it; evaluates nothing.

mod parts;
mod signs;
mod values;

pub use parts::{Binding, CallSketch, Candidate, FunctionSketch, LoopSketch, Sketch};

use super::{
    languages::Language,
    lexer::{Kind, Token},
};

/// No function: code at the level of the file.
pub const NOWHERE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScopeKind {
    Block,
    Function(u32),
    Loop(u32),
}

struct Scope {
    kind: ScopeKind,
    /// The bracket depth outside it, or the indentation of its header.
    level: u32,
    is_test: bool,
    /// The type whose methods stand in it, or [`NOWHERE`].
    owner: u32,
}

/// What was announced and waits for its body.
#[derive(Default)]
struct Pending {
    function: Option<u32>,
    function_depth: u32,
    /// The type in front of the name of a method, as in Go.
    receiver: Option<u32>,
    looping: Option<u32>,
    /// The bracket depth at which the body of the loop opens.
    looping_depth: u32,
    /// The word that starts an implementation, or the declaration of a trait.
    implementing: Option<u32>,
    is_test: bool,
    is_registered: bool,
}

impl Pending {
    /// What outlives a `,`, a `;` or a block: the header of a loop goes on until its body.
    fn rest(&self) -> Self {
        Self { looping: self.looping, looping_depth: self.looping_depth, ..Self::default() }
    }
}

/// Walks over the tokens of a file.
pub fn sketch(text: &str, tokens: &[Token], language: &Language, is_test_file: bool) -> Sketch {
    let mut walker = Walker {
        text,
        tokens,
        language,
        announces: announces(language),
        is_test_file,
        found: Sketch::default(),
        scopes: Vec::new(),
        openers: Vec::new(),
        closures: Vec::new(),
        pending: Pending::default(),
        line: 0,
    };
    for at in 0..tokens.len() {
        walker.step(at);
    }
    while !walker.scopes.is_empty() {
        walker.leave(tokens.len());
    }
    walker.found
}

struct Walker<'a> {
    text: &'a str,
    tokens: &'a [Token],
    language: &'a Language,
    /// The first bytes of words that announce something.
    announces: [bool; 256],
    is_test_file: bool,
    found: Sketch,
    scopes: Vec<Scope>,
    /// The tokens of the open brackets.
    openers: Vec<u32>,
    /// Those of them that belong to a method which runs its closure once per element.
    closures: Vec<u32>,
    pending: Pending,
    /// The token of the line's start, where indentation counts.
    line: usize,
}

impl<'a> Walker<'a> {
    fn step(&mut self, at: usize) {
        let Some(token) = self.tokens.get(at) else { return };
        match token.kind {
            Kind::Line => self.start_line(at, token.end - token.start),
            Kind::Word => self.word(at),
            Kind::Text => self.literal(at),
            Kind::Sign => self.sign(at, token.form),
            Kind::Atom => {}
        }
    }

    fn slice(&self, at: usize) -> &'a str {
        let range = self.tokens.get(at).map_or(0..0, |token| token.start as usize..token.end as usize);
        self.text.get(range).unwrap_or("")
    }

    fn is(&self, at: usize, byte: u8) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(byte))
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn in_test(&self) -> bool {
        self.is_test_file || self.scopes.last().is_some_and(|scope| scope.is_test)
    }

    /// The function around, and the loops within it.
    fn place(&self) -> (u32, u8) {
        let mut loops = 0_u8;
        for scope in self.scopes.iter().rev() {
            match scope.kind {
                ScopeKind::Function(index) => return (index, loops),
                ScopeKind::Loop(_) => loops = loops.saturating_add(1),
                ScopeKind::Block => {}
            }
        }
        (NOWHERE, loops)
    }

    fn enter(&mut self, kind: ScopeKind, level: u32, is_test: bool) {
        let is_test = is_test || self.in_test();
        let owner = self.owner();
        self.scopes.push(Scope { kind, level, is_test, owner });
    }

    /// The type whose methods stand here, or [`NOWHERE`].
    fn owner(&self) -> u32 {
        self.scopes.last().map_or(NOWHERE, |scope| scope.owner)
    }

    /// Enters what holds the methods of a type.
    fn enter_type(&mut self, owner: u32, level: u32, is_test: bool) {
        self.enter(ScopeKind::Block, level, is_test);
        if let Some(scope) = self.scopes.last_mut() {
            scope.owner = owner;
        }
    }

    fn leave(&mut self, at: usize) {
        match self.scopes.pop().map(|scope| scope.kind) {
            Some(ScopeKind::Function(index)) => {
                if let Some(function) = self.found.functions.get_mut(index as usize) {
                    function.end = at as u32;
                }
            }
            Some(ScopeKind::Loop(index)) => {
                if let Some(one) = self.found.loops.get_mut(index as usize) {
                    one.end = at as u32;
                }
            }
            Some(ScopeKind::Block) | None => {}
        }
    }

    fn start_line(&mut self, at: usize, indentation: u32) {
        self.line = at;
        while self.scopes.last().is_some_and(|scope| scope.level >= indentation) {
            self.leave(at);
        }
    }

    fn add_function(&mut self, name: u32) -> u32 {
        let name_text = self.slice(name as usize);
        let named_test = self.language.test_functions.iter().any(|start| name_text.starts_with(start));
        let is_test = self.pending.is_test || self.in_test() || named_test;
        let is_registered = self.pending.is_registered;
        let owner = self.pending.receiver.unwrap_or_else(|| self.owner());
        self.found.functions.push(FunctionSketch {
            name,
            owner,
            end: self.tokens.len() as u32,
            is_test,
            is_registered,
        });
        self.found.functions.len() as u32 - 1
    }

    fn add_loop(&mut self, start: u32, body: usize) -> u32 {
        self.found.loops.push(LoopSketch { start, body: body as u32, end: self.tokens.len() as u32 });
        self.found.loops.len() as u32 - 1
    }

    fn word(&mut self, at: usize) {
        let word = self.slice(at);
        let first = word.bytes().next().unwrap_or(0);
        let announces = self.announces.get(usize::from(first)).copied().unwrap_or(false);
        if !announces || !self.announcement(at, word) {
            self.plain_word(at, word);
        }
    }

    /// Words that announce a function, a loop, an implementation or a module; false for all others.
    fn announcement(&mut self, at: usize, word: &str) -> bool {
        if word == self.language.function {
            self.function_header(at);
        } else if self.language.declares.contains(&word) {
            self.declare(at);
        } else if self.language.loops.contains(&word) {
            self.loop_header(at);
        } else if self.language.indented && word == "class" && self.line + 1 == at {
            let is_test = self.slice(at + 1).starts_with("Test");
            let level = self.line_indentation();
            self.enter_type(at as u32 + 1, level, is_test);
        } else if matches!(word, "impl" | "trait") && !self.language.indented {
            // `fn f(x: impl Trait)` implements nothing.
            self.pending.implementing = Some(at as u32).filter(|_| self.pending.function.is_none());
        } else if word == "mod" && self.pending.is_test && self.is(at + 2, b';') {
            self.found.test_modules.push(at as u32 + 1);
        } else {
            return false;
        }
        true
    }

    fn line_indentation(&self) -> u32 {
        self.tokens.get(self.line).map_or(0, |token| token.end - token.start)
    }

    fn function_header(&mut self, at: usize) {
        if self.language.indented {
            let index = self.add_function(at as u32 + 1);
            let is_test = self.found.functions.get(index as usize).is_some_and(|function| function.is_test);
            let level = self.line_indentation();
            self.enter(ScopeKind::Function(index), level, is_test);
            self.pending = Pending::default();
            return;
        }
        // A method of Go names its receiver in parentheses first.
        let mut name = at + 1;
        let mut receiver = None;
        if self.is(name, b'(') && self.language.function == "func" {
            while name < self.tokens.len() && !self.is(name, b')') {
                name += 1;
            }
            receiver = (at + 2..name).rev().find(|&at| self.kind(at) == Some(Kind::Word));
            name += 1;
        }
        let named = self.kind(name) == Some(Kind::Word)
            && (self.is(name + 1, b'(') || self.is(name + 1, b'<') || self.is(name + 1, b'['));
        if named {
            self.pending.function = Some(name as u32);
            self.pending.receiver = receiver.map(|receiver| receiver as u32);
            self.pending.function_depth = self.openers.len() as u32;
        }
    }

    fn loop_header(&mut self, at: usize) {
        if self.language.indented {
            let starts_line = self.line + 1 == at || (self.line + 2 == at && self.slice(at - 1) == "async");
            if starts_line && self.openers.is_empty() {
                let index = self.add_loop(at as u32, at);
                let level = self.line_indentation();
                self.enter(ScopeKind::Loop(index), level, false);
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

    fn plain_word(&mut self, at: usize, word: &str) {
        let Some(next) = self.tokens.get(at + 1) else { return };
        let sign = if next.kind == Kind::Sign { next.form } else { 0 };
        match sign {
            b'(' => self.call(at, word, true),
            b'!' if matches!(self.tokens.get(at + 2).map(|token| token.form), Some(b'(' | b'[' | b'{')) => {
                self.call(at, word, true);
            }
            b',' | b')' => self.call(at, word, false),
            b'=' | b':' => self.bind(at),
            _ => {}
        }
    }

    fn call(&mut self, at: usize, word: &str, is_call: bool) {
        let defined = self.pending.function == Some(at as u32)
            || at.checked_sub(1).is_some_and(|before| self.slice(before) == self.language.function);
        if defined || self.in_test() || (is_call && self.language.keywords.contains(&word)) {
            return;
        }
        let (function, loop_depth) = self.place();
        let extra = u8::from(self.in_loop_closure());
        self.found.calls.push(CallSketch {
            name: at as u32,
            function,
            loop_depth: loop_depth + extra,
            is_call,
        });
    }

    /// Whether a bracket around belongs to a method that runs its closure once per element.
    fn in_loop_closure(&self) -> bool {
        !self.closures.is_empty()
    }
}

/// The first bytes of the words that announce something in a language.
fn announces(language: &Language) -> [bool; 256] {
    let words = language.loops.iter().chain(language.declares).copied().chain([
        "class",
        "impl",
        "trait",
        "mod",
        language.function,
    ]);
    let mut table = [false; 256];
    for first in words.filter_map(|word| word.bytes().next()) {
        if let Some(entry) = table.get_mut(usize::from(first)) {
            *entry = true;
        }
    }
    table
}

//! One walk over the tokens of a file: its functions, loops, calls, named values, and the texts that may be SQL.
//! Knows the shape of code, as far as a [`Language`] describes it; evaluates nothing.

mod signs;
mod values;

use super::{
    languages::{Language, SinkKind},
    lexer::{Kind, Token},
};

/// No function: code at the level of the file.
pub const NOWHERE: u32 = u32::MAX;

/// A function of a file.
#[derive(Debug, Clone, Copy)]
pub struct FunctionSketch {
    /// The token of its name.
    pub name: u32,
    /// The first token behind its body, or the end of the file.
    pub end: u32,
    /// Whether it is test code, by an attribute, by its name, or by what it stands in.
    pub is_test: bool,
    /// Whether something in front of it (an attribute, a decorator) may call it from afar.
    pub is_registered: bool,
}

/// A call, or a function named without being called.
#[derive(Debug, Clone, Copy)]
pub struct CallSketch {
    /// The token of the last word of the callee's name.
    pub name: u32,
    /// The function that it stands in, or [`NOWHERE`].
    pub function: u32,
    /// The loops around it within the function.
    pub loop_depth: u8,
    /// Whether it is called here, or only named.
    pub is_call: bool,
}

/// A name with a value that may be text.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// The token of the name.
    pub name: u32,
    /// The first token of the value.
    pub value: u32,
    /// The function that it stands in, or [`NOWHERE`].
    pub function: u32,
}

/// A text that may be SQL.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The first token of the expression.
    pub start: u32,
    /// The token of the literal that looks like SQL, or starts with a hole.
    pub literal: u32,
    /// The function that it stands in, or [`NOWHERE`].
    pub function: u32,
    /// The loops around it within the function.
    pub loop_depth: u8,
    /// The call whose argument it is, as the token of the callee's name.
    pub callee: Option<(u32, SinkKind)>,
    /// Whether it stands in test code.
    pub is_test: bool,
}

/// A loop, as a range of tokens.
#[derive(Debug, Clone, Copy)]
pub struct LoopSketch {
    /// The word that starts it.
    pub start: u32,
    /// The first token of its body.
    pub body: u32,
    /// The first token behind it.
    pub end: u32,
}

/// What the walk found.
#[derive(Debug, Default)]
pub struct Sketch {
    /// In the order of their names.
    pub functions: Vec<FunctionSketch>,
    /// In order.
    pub calls: Vec<CallSketch>,
    /// In order.
    pub bindings: Vec<Binding>,
    /// In order.
    pub candidates: Vec<Candidate>,
    /// In the order of their ends.
    pub loops: Vec<LoopSketch>,
    /// The modules that are declared as test code, as tokens of their names.
    pub test_modules: Vec<u32>,
}

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
}

/// What was announced and waits for its body.
#[derive(Default)]
struct Pending {
    function: Option<u32>,
    function_depth: u32,
    looping: Option<u32>,
    is_impl: bool,
    is_test: bool,
    is_registered: bool,
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
        self.scopes.push(Scope { kind, level, is_test });
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
        self.found.functions.push(FunctionSketch {
            name,
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
            self.enter(ScopeKind::Block, level, is_test);
        } else if word == "impl" && !self.language.indented {
            self.pending.is_impl = true;
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
        if self.is(name, b'(') && self.language.function == "func" {
            while name < self.tokens.len() && !self.is(name, b')') {
                name += 1;
            }
            name += 1;
        }
        let named = self.kind(name) == Some(Kind::Word)
            && (self.is(name + 1, b'(') || self.is(name + 1, b'<') || self.is(name + 1, b'['));
        if named {
            self.pending.function = Some(name as u32);
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
        let is_loop = !self.pending.is_impl && !self.is(at + 1, b'<');
        if is_loop {
            self.pending.looping = Some(at as u32);
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

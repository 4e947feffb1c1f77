//! One walk over the tokens of a file: its functions, loops, calls, named values, and the texts that may be SQL.
//! Knows the shape of code, as far as a [`Language`] describes it; evaluates nothing.

use super::{
    languages::{Language, SinkKind},
    lexer::{Kind, Token},
    sql,
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
        is_test_file,
        found: Sketch::default(),
        scopes: Vec::new(),
        openers: Vec::new(),
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
    is_test_file: bool,
    found: Sketch,
    scopes: Vec<Scope>,
    /// The tokens of the open brackets.
    openers: Vec<u32>,
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
        if word == self.language.function {
            self.function_header(at);
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
            self.plain_word(at, word);
        }
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
        let defined = self.pending.function == Some(at as u32)
            || at.checked_sub(1).is_some_and(|before| self.slice(before) == self.language.function);
        if defined {
            return;
        }
        let bang = usize::from(self.is(at + 1, b'!') && !self.is(at + 2, b'='));
        let opens = self.is(at + 1 + bang, b'(');
        if opens || (bang == 1 && (self.is(at + 2, b'[') || self.is(at + 2, b'{'))) {
            if !self.language.keywords.contains(&word) {
                self.call(at, true);
            }
        } else if self.is(at + 1, b',') || self.is(at + 1, b')') {
            self.call(at, false);
        }
        self.bind(at, word);
    }

    fn call(&mut self, at: usize, is_call: bool) {
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
        !self.language.loop_methods.is_empty()
            && self.openers.iter().rev().take(8).any(|&opener| {
                (opener as usize).checked_sub(1).is_some_and(|before| {
                    self.kind(before) == Some(Kind::Word)
                        && self.language.loop_methods.contains(&self.slice(before))
                })
            })
    }

    /// Notes a name with a value, if the value may be text.
    fn bind(&mut self, at: usize, word: &str) {
        if self.language.declares.contains(&word) {
            let mut name = at + 1;
            while matches!(self.slice(name), "mut" | "ref" | "(") {
                name += 1;
            }
            if self.kind(name) == Some(Kind::Word)
                && let Some(value) = self.value_behind(name + 1)
            {
                self.add_binding(name, value);
            }
            return;
        }
        let assigns = self.is(at + 1, b'=') && !self.is(at + 2, b'=') && !self.is(at + 2, b'>');
        let walrus = self.is(at + 1, b':') && self.is(at + 2, b'=');
        let annotated = self.language.indented && self.is(at + 1, b':') && self.line + 1 == at;
        if assigns && !self.after_declaration(at) {
            self.add_binding(at, at + 2);
        } else if walrus {
            self.add_binding(at, at + 3);
        } else if annotated && let Some(value) = self.value_behind(at + 1) {
            self.add_binding(at, value);
        }
    }

    /// Whether the token in front shows that no assignment starts here: a declaration, a field, a type.
    fn after_declaration(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let (Some(one), Some(this)) = (self.tokens.get(before), self.tokens.get(at)) else { return false };
        match one.kind {
            Kind::Sign => b":&<>.|*'".contains(&one.form),
            Kind::Word | Kind::Atom | Kind::Text => {
                let between = self.text.get(one.end as usize..this.start as usize).unwrap_or("");
                self.slice(before) != "mut" && !between.contains('\n')
            }
            Kind::Line => false,
        }
    }

    /// The token behind the `=` of a declaration, past its type.
    fn value_behind(&self, from: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for at in from..(from + 48).min(self.tokens.len()) {
            let token = self.tokens.get(at)?;
            match (token.kind, token.form) {
                (Kind::Sign, b'[' | b'(') => depth += 1,
                (Kind::Sign, b']' | b')') => depth = depth.checked_sub(1)?,
                (Kind::Sign, b'=') if depth == 0 => return Some(at + 1),
                (Kind::Sign, b';' | b'{' | b'}') if depth == 0 => return None,
                (Kind::Line, _) => return None,
                _ => {}
            }
        }
        None
    }

    fn add_binding(&mut self, name: usize, value: usize) {
        let Some(first) = self.tokens.get(value) else { return };
        let may_be_text = match (first.kind, first.form) {
            (Kind::Text, _) | (Kind::Sign, b'&' | b'[' | b'(') => true,
            (Kind::Word, _) => {
                let word = self.slice(value);
                let shouts = word
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit());
                shouts
                    || matches!(
                        word,
                        "if" | "match"
                            | "vec"
                            | "String"
                            | "Self"
                            | "fmt"
                            | "strings"
                            | "self"
                            | "crate"
                            | "super"
                    )
                    || self.language.formats.iter().any(|format| format.name == word)
                    || self.language.concatenates.contains(&word)
                    || self.is(value + 1, b'.')
            }
            _ => false,
        };
        if may_be_text {
            let (function, _) = self.place();
            self.found.bindings.push(Binding { name: name as u32, value: value as u32, function });
        }
    }

    fn sign(&mut self, at: usize, byte: u8) {
        match byte {
            b'(' | b'[' => self.openers.push(at as u32),
            b')' | b']' => {
                self.openers.pop();
            }
            b'{' => self.open_brace(at),
            b'}' => self.close_brace(at),
            b',' if self.pending.function.is_none() => self.pending = Pending::default(),
            b';' if self.openers.len() as u32 <= self.pending.function_depth
                || self.pending.function.is_none() =>
            {
                self.pending = Pending::default();
            }
            b'#' if self.is(at + 1, b'[') => self.attribute(at + 2),
            b'@' if self.language.indented && self.line + 1 == at => self.pending.is_registered = true,
            _ => {}
        }
    }

    fn open_brace(&mut self, at: usize) {
        let level = self.openers.len() as u32;
        self.openers.push(at as u32);
        if self.language.indented {
            return;
        }
        let type_literal =
            at.checked_sub(1).is_some_and(|before| matches!(self.slice(before), "interface" | "struct"));
        let is_test = self.pending.is_test;
        if let Some(name) =
            self.pending.function.filter(|_| level == self.pending.function_depth && !type_literal)
        {
            let index = self.add_function(name);
            self.enter(ScopeKind::Function(index), level, is_test);
            self.pending = Pending::default();
        } else if let Some(start) = self.pending.looping {
            let index = self.add_loop(start, at);
            self.enter(ScopeKind::Loop(index), level, false);
            self.pending.looping = None;
        } else if self.pending.function.is_none() {
            self.enter(ScopeKind::Block, level, is_test);
            self.pending = Pending::default();
        }
    }

    fn close_brace(&mut self, at: usize) {
        self.openers.pop();
        if !self.language.indented {
            self.pending = Pending::default();
            let level = self.openers.len() as u32;
            while self.scopes.last().is_some_and(|scope| scope.level >= level) {
                self.leave(at);
            }
        }
    }

    /// `#[test]`, `#[cfg(test)]`, `#[tokio::test]` make test code; others, but for the inert ones, may register.
    fn attribute(&mut self, from: usize) {
        const INERT: [&str; 14] = [
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
        ];
        let mut depth = 1_u32;
        let mut negated = false;
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
                "test" | "tests" | "rstest" | "test_case" | "bench" if !negated && !conditional => {
                    self.pending.is_test = true
                }
                _ => {}
            }
        }
        if !INERT.contains(&self.slice(from)) && !self.pending.is_test {
            self.pending.is_registered = true;
        }
    }

    fn literal(&mut self, at: usize) {
        let Some(token) = self.tokens.get(at) else { return };
        let Some(form) = self.language.strings.get(usize::from(token.form)) else { return };
        if form.bytes {
            return;
        }
        let (from, to) = token.inner();
        let content = self.text.get(from as usize..to as usize).unwrap_or("");
        let leads_with_hole = content.starts_with(['{', '%']) && content.len() > 8;
        if !leads_with_hole && !sql::may_start(content) {
            return;
        }
        let start = self.chain_start(at);
        let (function, loop_depth) = self.place();
        let callee = self.sink_around(start);
        let is_test = self.in_test();
        let loop_depth = loop_depth + u8::from(self.in_loop_closure());
        let one =
            Candidate { start: start as u32, literal: at as u32, function, loop_depth, callee, is_test };
        self.found.candidates.push(one);
    }

    /// Where the expression starts whose part the literal is: in front of `a +`, of `format!(`.
    fn chain_start(&self, literal: usize) -> usize {
        let mut start = self.format_start(literal);
        for _ in 0..16 {
            let Some(before) = start.checked_sub(1) else { break };
            if !self.is(before, b'+') {
                break;
            }
            match self.term_before(before) {
                Some(earlier) => start = self.format_start(earlier),
                None => break,
            }
        }
        start
    }

    /// The format call whose first text this is, or the text itself.
    fn format_start(&self, literal: usize) -> usize {
        let Some(&opener) = self.openers.last() else { return literal };
        let opener = opener as usize;
        let bang = usize::from(opener.checked_sub(1).is_some_and(|before| self.is(before, b'!')));
        let Some(name) = opener.checked_sub(1 + bang) else { return literal };
        let word = self.slice(name);
        let formats =
            self.language.formats.iter().any(|format| format.name == word && format.bang == (bang == 1));
        let concatenates = bang == 1 && self.language.concatenates.contains(&word);
        let first = (opener + 1..literal).all(|at| self.kind(at) != Some(Kind::Text));
        if self.kind(name) == Some(Kind::Word) && (formats || concatenates) && first { name } else { literal }
    }

    /// The start of the term that ends in front of this token: `NAME`, `a.b`, `f(x)`, `"text"`.
    fn term_before(&self, behind: usize) -> Option<usize> {
        let mut at = behind.checked_sub(1)?;
        loop {
            if self.is(at, b')') {
                let mut depth = 1_u32;
                while depth > 0 {
                    at = at.checked_sub(1)?;
                    depth = depth + u32::from(self.is(at, b')')) - u32::from(self.is(at, b'('));
                }
                let before = at.checked_sub(1)?;
                if self.kind(before) != Some(Kind::Word) {
                    return Some(at);
                }
                at = before;
                continue;
            }
            let before = at.checked_sub(1)?;
            if !matches!(self.kind(at), Some(Kind::Word | Kind::Text)) {
                return None;
            }
            let joined = self.is(before, b'.') || self.is(before, b':');
            if !joined {
                return Some(at);
            }
            at = before.checked_sub(if self.is(before, b':') { 2 } else { 1 })?;
        }
    }

    /// The nearest call around an expression that is known to run SQL.
    fn sink_around(&self, start: usize) -> Option<(u32, SinkKind)> {
        let mut openers =
            self.openers.iter().rev().map(|&opener| opener as usize).filter(|&opener| opener < start);
        openers.by_ref().take(4).find_map(|opener| self.sink_at(opener))
    }

    /// The call that a parenthesis opens, if it runs SQL: `query(`, `query!(`, `query_as::<_, T>(`.
    fn sink_at(&self, opener: usize) -> Option<(u32, SinkKind)> {
        let mut name = opener.checked_sub(1)?;
        if self.is(name, b'!') {
            name = name.checked_sub(1)?;
        }
        if self.is(name, b'>') {
            let floor = name.saturating_sub(24);
            while name > floor && !(self.is(name, b':') && self.is(name - 1, b':')) {
                name -= 1;
            }
            name = name.checked_sub(2)?;
        }
        if self.kind(name) != Some(Kind::Word) {
            return None;
        }
        self.language.sink(self.slice(name)).map(|kind| (name as u32, kind))
    }
}

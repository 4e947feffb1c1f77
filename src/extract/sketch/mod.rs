//! One walk over the tokens of a file: its functions, loops, calls, named values, and the texts that may be SQL.
//! Knows the shape of code, as far as a [`Language`] describes it; evaluates nothing.

mod bare;
mod beside;
mod brackets;
mod equations;
mod headers;
mod heads;
mod numbers;
mod parts;
mod signs;
mod sinks;
mod values;

pub use brackets::Brackets;
pub use parts::{Binding, CallSketch, Candidate, FunctionSketch, LoopSketch, Number, Sketch};

use super::{
    languages::Language,
    lexer::{Kind, Lexer, Table, Token},
    words::Words,
};

/// No function: code at the level of the file.
pub const NOWHERE: u32 = u32::MAX;

/// What puts the text of another file in its place.
const INCLUDES: &str = "include_str";

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
    /// The function around, and the loops within it.
    place: (u32, u8),
    /// The type whose methods stand in it, or [`NOWHERE`].
    owner: u32,
    /// The trait that its methods are written for, or the first base of its class, or [`NOWHERE`].
    implements: u32,
    /// Whether it lists the methods of an interface, which call nothing.
    is_interface: bool,
    /// Whether it has no braces, and ends with its statement.
    is_expression: bool,
    /// Whether something in front of the type may call its methods from afar.
    is_registered: bool,
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

/// Reads a file and walks over its tokens. The bodies of tests that hold no candidate are left out of both.
pub fn sketch(text: &str, language: &Language, table: &Table, is_test_file: bool) -> (Vec<Token>, Sketch) {
    let mut lexer = Lexer::new(text, language, table);
    let mut walker = Walker::new(text, language, is_test_file);
    let mut at = 0;
    loop {
        // The walk looks a few tokens ahead, but never past the brace that opens a body.
        std::mem::swap(&mut lexer.tokens, &mut walker.tokens);
        let opens_body = lexer.run();
        std::mem::swap(&mut lexer.tokens, &mut walker.tokens);
        while at < walker.tokens.len() {
            walker.step(at);
            at += 1;
        }
        if !opens_body {
            break;
        }
        if walker.opened_test() {
            lexer.skip_body(|text, token| values::may_be_sql(text, token, language));
        }
    }
    while !walker.scopes.is_empty() {
        walker.leave(at);
    }
    (walker.tokens, walker.found)
}

struct Walker<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    language: &'a Language,
    /// The words that are no calls.
    keywords: Words,
    /// The methods whose closure runs once per element.
    repeating: Words,
    is_test_file: bool,
    found: Sketch,
    scopes: Vec<Scope>,
    /// The tokens of the open brackets.
    openers: Vec<u32>,
    /// Those of them that belong to a method which runs its closure once per element.
    closures: Vec<u32>,
    /// Those of them that hold what runs beside the function around.
    beside: Vec<u32>,
    /// The bracket depth of a function that is written behind `go`.
    going: Option<u32>,
    /// The last name that is given a value outside of all functions, and the bracket depth there.
    named: Option<(u32, u32)>,
    pending: Pending,
    /// The last name that was declared with a value.
    declared: Option<usize>,
    /// How many of the scopes have no braces.
    expressions: u32,
    /// A loop whose body is one statement, which starts at a token ahead.
    single: Option<(u32, usize)>,
    /// The token behind the last `do { … }`.
    after_do: usize,
    /// The token of the line's start, where indentation counts.
    line: usize,
}

impl<'a> Walker<'a> {
    fn new(text: &'a str, language: &'a Language, is_test_file: bool) -> Self {
        Self {
            text,
            tokens: Vec::with_capacity(text.len() / 4),
            language,
            keywords: language.keywords.iter().copied().collect(),
            repeating: language.loop_methods.iter().copied().collect(),
            is_test_file,
            found: Sketch::default(),
            scopes: Vec::new(),
            openers: Vec::new(),
            closures: Vec::new(),
            beside: Vec::new(),
            going: None,
            named: None,
            pending: Pending::default(),
            declared: None,
            expressions: 0,
            single: None,
            after_do: 0,
            line: 0,
        }
    }

    /// Whether the last token, a brace, opened the body of a function that is test code.
    fn opened_test(&self) -> bool {
        self.scopes.last().is_some_and(|scope| {
            let is_function = matches!(scope.kind, ScopeKind::Function(_));
            is_function && scope.is_test && scope.level as usize + 1 == self.openers.len()
        })
    }

    fn step(&mut self, at: usize) {
        let Some(&token) = self.tokens.get(at) else { return };
        if self.expressions > 0 && self.language.breaks {
            self.end_expressions_by_line(at);
        }
        if let Some((start, _)) = self.single.filter(|&(_, body)| body == at) {
            self.enter_single(start, at);
        }
        match token.kind {
            Kind::Line => self.start_line(at, token.end - token.start),
            Kind::Word if token.form != 0 && self.announcement(at, self.slice(at)) => {}
            Kind::Word => self.plain_word(at),
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
        self.scopes.last().map_or((NOWHERE, 0), |scope| scope.place)
    }

    fn enter(&mut self, kind: ScopeKind, level: u32, is_test: bool) {
        let is_test = is_test || self.in_test();
        let (function, loops) = self.place();
        let place = match kind {
            ScopeKind::Function(index) => (index, 0),
            ScopeKind::Loop(_) => (function, loops.saturating_add(1)),
            ScopeKind::Block => (function, loops),
        };
        let owner = self.owner();
        self.scopes.push(Scope {
            kind,
            level,
            is_test,
            place,
            owner,
            implements: NOWHERE,
            is_interface: false,
            is_expression: false,
            is_registered: false,
        });
    }

    /// The type whose methods stand here, or [`NOWHERE`].
    fn owner(&self) -> u32 {
        self.scopes.last().map_or(NOWHERE, |scope| scope.owner)
    }

    /// Enters what holds the methods of a type.
    fn enter_type(&mut self, (owner, implements): (u32, u32), level: u32, is_test: bool) {
        self.enter(ScopeKind::Block, level, is_test);
        // What decorates a class makes another class of it, and calls none of its methods.
        let is_registered = self.pending.is_registered && !self.language.indented;
        if let Some(scope) = self.scopes.last_mut() {
            (scope.owner, scope.implements, scope.is_registered) = (owner, implements, is_registered);
        }
    }

    fn leave(&mut self, at: usize) {
        let scope = self.scopes.pop();
        self.expressions -= u32::from(scope.as_ref().is_some_and(|scope| scope.is_expression));
        match scope.map(|scope| scope.kind) {
            Some(ScopeKind::Function(index)) => {
                if let Some(function) = self.found.functions.get_mut(index as usize) {
                    function.end = at as u32;
                }
            }
            Some(ScopeKind::Loop(index)) => {
                if let Some(one) = self.found.loops.get_mut(index as usize) {
                    one.end = at as u32;
                    let (start, is_short) = (one.start as usize, one.body == one.start + 1);
                    if is_short && self.slice(start) == "do" {
                        self.after_do = at + 1;
                    }
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
        if indentation == 0 && self.language.has_layout() {
            self.equation(at + 1);
        }
    }

    fn add_function(&mut self, name: u32) -> u32 {
        let name_text = self.slice(name as usize);
        let named_test = self.language.test_functions.iter().any(|start| name_text.starts_with(start));
        let is_test = self.pending.is_test || self.in_test() || named_test;
        let scope = self.scopes.last();
        let is_registered = self.pending.is_registered || scope.is_some_and(|scope| scope.is_registered);
        let implements = scope.map_or(NOWHERE, |scope| scope.implements);
        let owner = self.pending.receiver.unwrap_or_else(|| self.owner());
        self.found.functions.push(FunctionSketch {
            name,
            owner,
            implements,
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

    /// Whether a token may be one of these words.
    fn may_be_in(&self, words: &Words, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let first = self.text.as_bytes().get(token.start as usize).copied().unwrap_or(0);
        words.may_hold(first, (token.end - token.start) as usize)
    }

    fn plain_word(&mut self, at: usize) {
        let Some(next) = self.tokens.get(at + 1) else { return };
        let sign = if next.kind == Kind::Sign { next.form } else { 0 };
        let is_adjacent = next.kind == Kind::Text && self.language.adjacent;
        if self.language.commands && self.may_be_in(&self.repeating, at) {
            self.do_block(at);
        }
        if is_adjacent || sign == self.language.joins || b"(.%".contains(&sign) {
            self.heads(at, sign);
        }
        match sign {
            b'(' => self.call(at, true),
            b'!' if matches!(self.tokens.get(at + 2).map(|token| token.form), Some(b'(' | b'[' | b'{')) => {
                self.call(at, true);
                self.quoted(at);
            }
            b',' | b')' => self.call(at, false),
            // `{ NULL, fill_names }`
            b'}' | b']' if self.place().0 == NOWHERE || self.is_last_of(at) => self.call(at, false),
            b':' if self.is(at + 2, b':') && self.is(at + 3, b'<') => {
                self.generic_call(at, at + 3, (b'<', b'>'));
            }
            b'=' | b':' => self.bind(at),
            b'[' if self.language.receivers => self.generic_call(at, at + 1, (b'[', b']')),
            b'[' if self.language.typed => self.bind_array(at),
            _ if self.language.has_layout() && self.line + 1 != at => self.call(at, true),
            _ if self.language.receivers => self.hand_on(at, sign),
            _ if self.language.closed && self.keeps(at, sign) => self.call(at, false),
            _ => {}
        }
    }

    /// `read::<Row>(…)`, `read[Row](…)`: the name is only noted, for the arguments do not stand behind it.
    fn generic_call(&mut self, at: usize, open: usize, (opens, closes): (u8, u8)) {
        let mut depth = 0_u32;
        for next in open..(open + 40).min(self.tokens.len()) {
            if self.is(next, opens) {
                depth += 1;
            } else if self.is(next, closes) {
                depth -= 1;
                if depth == 0 {
                    if self.is(next + 1, b'(') {
                        self.call(at, false);
                    }
                    return;
                }
            }
        }
    }

    fn call(&mut self, at: usize, is_call: bool) {
        if self.in_test() || self.pending.function == Some(at as u32) {
            return;
        }
        if self.scopes.last().is_some_and(|scope| scope.is_interface) {
            self.found.signatures.push(at as u32);
            return;
        }
        let is_keyword =
            is_call && self.may_be_in(&self.keywords, at) && self.language.keywords.contains(&self.slice(at));
        let on_type = self.language.commands && at > 2 && self.is(at - 1, b'.');
        let is_defined = at.checked_sub(if on_type { 3 } else { 1 }).is_some_and(|before| {
            self.tokens.get(before).is_some_and(|token| token.kind == Kind::Word && token.form != 0)
                && self.slice(before) == self.language.function
        });
        if is_keyword || is_defined {
            return;
        }
        let (function, loop_depth) = self.place();
        let extra = u8::from(self.in_loop_closure());
        let loop_depth = loop_depth.saturating_add(extra);
        let is_launched = !self.beside.is_empty() || self.is_behind_go(at);
        let call = CallSketch { name: at as u32, function, loop_depth, is_call, is_launched };
        if !is_call && function == NOWHERE {
            self.list(at);
        }
        if is_call && self.slice(at) == INCLUDES {
            self.found.includes.push(call);
        }
        self.found.calls.push(call);
    }
}

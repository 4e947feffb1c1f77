//! Functions without a word in front: a name, parentheses and a body, or `(a) => body`. Bodies without braces, of functions
//! and loops, which end with their statement. An `impl` of [`Walker`], apart for its length.

use super::{Pending, ScopeKind, Walker};
use crate::extract::lexer::Kind;

/// The most tokens between the parentheses of a function and its body.
const LONGEST_TRAIL: usize = 48;
/// The most tokens of a list of parameters.
const LONGEST_LIST: usize = 600;
/// Words that may not stand between the parentheses of a function and its body.
const NO_TRAIL: [&str; 15] = [
    "class",
    "struct",
    "enum",
    "union",
    "namespace",
    "interface",
    "record",
    "do",
    "else",
    "try",
    "return",
    "new",
    "throw",
    "object",
    "finally",
];

impl Walker<'_> {
    /// The name of the function whose body the brace at a token opens, as a token; for one without a name, the parenthesis
    /// of its parameters, and only at the level of a file or type.
    pub(super) fn bare_function(&self, brace: usize) -> Option<usize> {
        let last = brace.checked_sub(1)?;
        if self.language.arrows && self.is(last, b'>') && self.is(last.checked_sub(1)?, b'=') {
            return self.arrow(last - 1);
        }
        let close = self.list_before(brace)?;
        self.named_by(self.opening(close)?)
    }

    /// The parenthesis that closes the parameters in front of a body.
    fn list_before(&self, brace: usize) -> Option<usize> {
        let (mut at, floor) = (brace, brace.saturating_sub(LONGEST_TRAIL));
        let mut words = 0;
        while at > floor {
            at -= 1;
            let token = self.tokens.get(at)?;
            match (token.kind, token.form) {
                (Kind::Sign, b')') => {
                    // `Name(int a) : base(a), other(a) {`
                    let initialises = self.initialised(at);
                    if let Some(before) = initialises {
                        at = before + 1;
                        continue;
                    }
                    return self.may_trail(at, brace).then_some(at);
                }
                (Kind::Sign, b'}') if self.language.arrows => at = self.opening(at)?,
                (Kind::Sign, b'}') => at = self.initialised(at)? + 1,
                (Kind::Sign, sign) if b".,<>[]:&*|-?@".contains(&sign) => {}
                (Kind::Word, _) if !NO_TRAIL.contains(&self.slice(at)) => words += 1,
                // `where T : struct`
                (Kind::Word, _) if at.checked_sub(1).is_some_and(|sign| self.is(sign, b':')) => words += 1,
                (Kind::Text | Kind::Atom, _) => {}
                _ => return None,
            }
            if words > LONGEST_TRAIL / 2 {
                return None;
            }
        }
        None
    }

    /// Whether what stands between the parentheses of a function and its body may stand there.
    fn may_trail(&self, close: usize, brace: usize) -> bool {
        if close + 1 == brace {
            return true;
        }
        let typed = self.is(close + 1, b':') && !self.is(brace - 1, b':');
        if self.language.arrows {
            // Without semicolons, another statement may follow a call.
            return typed;
        }
        let arrow = self.is(close + 1, b'-') && self.is(close + 2, b'>');
        typed || arrow || self.is(close + 1, b'&') || self.kind(close + 1) == Some(Kind::Word)
    }

    /// Of the parenthesis that closes `: a(b)` or `, c(d)` in front of a body, the token that closes what is in front.
    fn initialised(&self, close: usize) -> Option<usize> {
        if self.language.arrows {
            return None;
        }
        let sign = self.opening(close)?.checked_sub(2)?;
        let single = self.is(sign, b':') && !self.is(sign.checked_sub(1)?, b':');
        let before = sign.checked_sub(1)?;
        ((single || self.is(sign, b',')) && (self.is(before, b')') || self.is(before, b'}')))
            .then_some(before)
    }

    /// The parenthesis that the one at a token closes.
    pub(super) fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for at in (close.saturating_sub(LONGEST_LIST)..=close).rev() {
            let token = self.tokens.get(at)?;
            if token.closes() {
                depth += 1;
            } else if token.opens() {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        None
    }

    /// The name in front of a list of parameters.
    fn named_by(&self, open: usize) -> Option<usize> {
        let mut name = open.checked_sub(1)?;
        if self.is(name, b'>') {
            name = self.before_types(name)?;
        }
        if self.kind(name) != Some(Kind::Word) {
            return None;
        }
        let word = self.slice(name);
        if word == "function" {
            return self.given(name).or_else(|| self.unnamed(open));
        }
        let first = self.path_start(name);
        let made = first.checked_sub(1).is_some_and(|before| self.slice(before) == "new");
        let called = self.language.arrows && name.checked_sub(1).is_some_and(|before| self.is(before, b'.'));
        (!made && !called && !self.language.keywords.contains(&word)).then_some(name)
    }

    /// The token in front of `<A, B>`.
    pub(super) fn before_types(&self, end: usize) -> Option<usize> {
        let mut angles = 0_u32;
        for at in (end.saturating_sub(40)..=end).rev() {
            if self.is(at, b'>') {
                angles += 1;
            } else if self.is(at, b'<') {
                angles = angles.checked_sub(1)?;
                if angles == 0 {
                    return at.checked_sub(1);
                }
            }
        }
        None
    }

    fn path_start(&self, name: usize) -> usize {
        let mut first = name;
        while let Some(before) = first.checked_sub(2) {
            let joined = self.is(first - 1, b'.') || self.is(first - 1, b':');
            if !joined {
                break;
            }
            first = before;
        }
        first
    }

    /// The function that the arrow at a token makes.
    pub(super) fn arrow(&self, arrow: usize) -> Option<usize> {
        let last = arrow.checked_sub(1)?;
        if self.kind(last) == Some(Kind::Word) {
            return self.given(last).or_else(|| self.unnamed(last));
        }
        let mut close = last;
        // `(a): Promise<B> => …`
        for _ in 0..LONGEST_TRAIL {
            if self.is(close, b')') {
                let open = self.opening(close)?;
                if close == last || self.is(close + 1, b':') {
                    return self.given(open).or_else(|| self.unnamed(open));
                }
            }
            if self.is(close, b';') || self.is(close, b'{') {
                return None;
            }
            close = close.checked_sub(1)?;
        }
        None
    }

    /// The name that a function is given whose expression starts at a token: `name = async (a)`, `name: (a)`.
    fn given(&self, start: usize) -> Option<usize> {
        let mut before = start.checked_sub(1)?;
        while matches!(self.slice(before), "async" | "function") {
            before = before.checked_sub(1)?;
        }
        if self.is(before, b'=') || self.is(before, b':') {
            let name = before.checked_sub(1)?;
            let named = self.kind(name) == Some(Kind::Word) && !self.is(name.checked_sub(1)?, b'?');
            return named.then_some(name);
        }
        None
    }

    /// What stands for the name of a function that has none: outside of all functions it is one of its own.
    fn unnamed(&self, at: usize) -> Option<usize> {
        (self.place().0 == super::NOWHERE).then_some(at)
    }

    /// Enters the function of this name, whose body starts at a token.
    pub(super) fn enter_bare(&mut self, name: usize, level: u32, is_expression: bool) {
        // Its definition was taken for a call.
        if let Some(call) = self.found.calls.iter().rposition(|call| (call.name as usize) <= name)
            && self.found.calls.get(call).is_some_and(|call| call.name as usize == name)
        {
            self.found.calls.remove(call);
        }
        let index = self.add_function(name as u32);
        let is_test = self.found.functions.get(index as usize).is_some_and(|function| function.is_test);
        self.enter(ScopeKind::Function(index), level, is_test);
        self.mark_expression(is_expression);
        self.pending = Pending::default();
    }

    /// Takes note that the scope just entered has no braces.
    pub(super) fn mark_expression(&mut self, is_expression: bool) {
        if is_expression && let Some(scope) = self.scopes.last_mut() {
            scope.is_expression = true;
            self.expressions += 1;
        }
    }

    /// `(a) => value`, `name(a) => value`: the arrow's second sign stands at a token.
    pub(super) fn expression_body(&mut self, at: usize) {
        let Some(arrow) = at.checked_sub(1).filter(|&arrow| self.is(arrow, b'=')) else { return };
        if self.is(at + 1, b'{') || self.in_test() {
            return;
        }
        let name = if self.language.arrows {
            self.arrow(arrow)
        } else {
            self.list_before(arrow).and_then(|close| self.named_by(self.opening(close)?))
        };
        // Only what has a name is worth a function of its own.
        if let Some(name) = name.filter(|&name| self.kind(name) == Some(Kind::Word)) {
            self.enter_bare(name, self.openers.len() as u32, true);
        }
    }

    /// Leaves the bodies without braces that end with a `;` or `,`, or in front of a token.
    pub(super) fn end_expressions(&mut self, at: usize) {
        let level = self.openers.len() as u32;
        while self.scopes.last().is_some_and(|scope| scope.is_expression && scope.level >= level) {
            self.leave(at);
        }
    }

    /// Leaves the loops whose one statement ends with the block that a brace closes.
    pub(super) fn end_single(&mut self, at: usize, level: u32) {
        let goes_on = self.slice(at + 1) == "else";
        while !goes_on
            && self.scopes.last().is_some_and(|scope| {
                scope.is_expression && scope.level == level && matches!(scope.kind, ScopeKind::Loop(_))
            })
        {
            self.leave(at);
        }
    }

    /// Leaves them where the line of a token starts another statement.
    pub(super) fn end_expressions_by_line(&mut self, at: usize) {
        let Some(before) = at.checked_sub(1).and_then(|before| self.tokens.get(before)) else { return };
        let Some(token) = self.tokens.get(at) else { return };
        let goes_on =
            matches!(self.slice(at), "else" | "as" | "is" | "in" | "instanceof" | "while" | "catch");
        let may_start = token.kind != Kind::Sign || token.is(b'@') || token.is(b'}');
        if !may_start || goes_on || (before.kind == Kind::Sign && !before.closes()) {
            return;
        }
        let between = self.text.get(before.end as usize..token.start as usize).unwrap_or("");
        if between.contains('\n') {
            self.end_expressions(at);
        }
    }

    /// `for (…) one();`: where the head of a loop stands in parentheses, what follows tells whether its body has braces.
    pub(super) fn parenthesised_loop(&mut self, at: usize) {
        if self.after_do == at && self.slice(at) == "while" {
            return;
        }
        let open = at + 1 + usize::from(self.kind(at + 1) == Some(Kind::Word));
        let body = if self.is(at + 1, b'{') {
            at + 1
        } else if self.is(open, b'(') {
            let Some(close) = self.closing(open) else { return };
            close + 1
        } else {
            return;
        };
        if self.is(body, b'{') {
            self.pending.looping = Some(at as u32);
            self.pending.looping_depth = self.openers.len() as u32;
        } else if !self.is(body, b';') && !self.is(body, b':') {
            self.single = Some((at as u32, body));
        }
    }

    /// The bracket that closes the one at a token, ahead of the walk.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for at in open..(open + LONGEST_LIST).min(self.tokens.len()) {
            let token = self.tokens.get(at)?;
            if token.opens() {
                depth += 1;
            } else if token.closes() {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        None
    }

    /// Enters the body of a loop that is one statement.
    pub(super) fn enter_single(&mut self, start: u32, body: usize) {
        self.single = None;
        let index = self.add_loop(start, body);
        self.enter(ScopeKind::Loop(index), self.openers.len() as u32, false);
        self.mark_expression(true);
    }
}

//! What stands around a text in code, as far as another text can be put beside it: its quotes, and the list that it is an
//! element of. Knows no SQL; where anything is not as it is in most programs, it says nothing.

use super::{
    languages::{Ending, Escapes, Holes, Language, StringForm},
    lexer::{self, Kind, Table, Token},
};

/// A text that stands alone: nothing is put together with it.
#[derive(Debug)]
pub struct Beside<'a> {
    /// The range between its quotes.
    pub inner: (usize, usize),
    /// The list that it is an element of.
    pub list: Option<List<'a>>,
    form: &'static StringForm,
    quotes: (&'a str, &'a str),
}

/// A list in code, each element of which may be added to.
#[derive(Debug)]
pub struct List<'a> {
    /// The range of its last element.
    pub last: (usize, usize),
    /// The end of the comma behind that, where there is one.
    pub comma: Option<usize>,
    /// Between its brackets.
    pub inside: (usize, usize),
    /// Whether the text is the last element.
    pub is_last: bool,
    around: (&'a str, &'a str),
}

impl Beside<'_> {
    /// The content of another text between the same quotes; `None` where they can't hold it.
    pub fn escaped(&self, content: &str) -> Option<String> {
        let close = self.form.close;
        let sign = close.chars().next()?;
        let holds = match self.form.holes {
            Holes::None => true,
            Holes::Braces => !content.contains(['{', '}']),
            Holes::Marked(_) => !content.contains(['$', '#', '{', '\\']),
        };
        if !holds || content.contains('\n') {
            return None;
        }
        match self.form.escapes {
            Escapes::Doubled => Some(content.replace(close, &close.repeat(2))),
            Escapes::SwallowIndent | Escapes::SwallowBreak if close.len() == 1 => {
                let escaped = content.replace('\\', "\\\\");
                Some(escaped.replace(sign, &format!("\\{sign}")))
            }
            Escapes::SwallowIndent | Escapes::SwallowBreak if content.contains('\\') => None,
            _ => (!content.contains(self.quotes.1) && !content.ends_with(sign)).then(|| content.to_owned()),
        }
    }

    /// Whether a backslash means something between its quotes.
    pub fn has_escapes(&self) -> bool {
        matches!(self.form.escapes, Escapes::SwallowIndent | Escapes::SwallowBreak)
    }

    /// Another text as an element of the list, written as this one is: on lines of its own, where that starts with a line
    /// break.
    pub fn element(&self, content: &str, own: &str, line: &str) -> Option<String> {
        let (before, behind) = self.list.as_ref()?.around;
        let (open, close) = self.quotes;
        let line = if open.ends_with("\"\"\"") && own.starts_with(['\r', '\n']) { line } else { "" };
        Some(format!("{before}{open}{line}{}{line}{close}{behind}", self.escaped(content)?))
    }
}

/// What stands around the text that starts at a place; `None` where it does not stand alone.
pub fn beside<'a>(language: &'static Language, text: &'a str, start: u32) -> Option<Beside<'a>> {
    if language.is_sql {
        return None;
    }
    let tokens = lexer::lex(text, language, &Table::new(language));
    let at = tokens.binary_search_by_key(&start, |token| token.start).ok()?;
    // The start of a logical line may be where its first token is.
    let at = (at.saturating_sub(1)..at + 2)
        .find(|&at| tokens.get(at).is_some_and(|token| token.start == start && token.kind == Kind::Text))?;
    let code = Code { text, tokens: &tokens, language };
    let token = tokens.get(at)?;
    let form = language.strings.get(usize::from(token.form))?;
    if form.ending != Ending::Quote || token.close == 0 || !code.is_alone(at) {
        return None;
    }
    let (from, to) = token.inner();
    let inner = (from as usize, to as usize);
    let quotes = (text.get(token.start as usize..inner.0)?, text.get(inner.1..token.end as usize)?);
    Some(Beside { inner, list: code.list(at), form, quotes })
}

struct Code<'a, 't> {
    text: &'a str,
    tokens: &'t [Token],
    language: &'static Language,
}

impl<'a> Code<'a, '_> {
    fn is(&self, at: usize, signs: &[u8]) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Sign && signs.contains(&token.form))
    }

    fn word(&self, at: usize) -> &'a str {
        let token = self.tokens.get(at).filter(|token| token.kind == Kind::Word);
        token.map_or("", |token| token.text(self.text))
    }

    /// Whether nothing is put in front of a text, or behind it.
    fn is_alone(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let begins = self.is(before, b"=([{,&") || matches!(self.word(before), "return" | "in");
        let next = self.tokens.get(at + 1);
        let ends = self.is(at + 1, b",)]};") || next.is_none_or(|next| next.kind == Kind::Line);
        begins && (ends || self.starts_line(at + 1))
    }

    /// Whether a word stands on a line below what is in front of it.
    fn starts_line(&self, at: usize) -> bool {
        let ends =
            at.checked_sub(1).and_then(|before| self.tokens.get(before)).map(|before| before.end as usize);
        let starts =
            self.tokens.get(at).filter(|token| token.kind == Kind::Word).map(|token| token.start as usize);
        let between = ends.zip(starts).and_then(|(from, to)| self.text.get(from..to));
        between.is_some_and(|between| between.contains('\n'))
    }

    /// The range of a text with the calls that it alone is handed to: `M::up("…")`.
    fn element(&self, at: usize) -> (usize, usize) {
        let (mut first, mut last) = (at, at);
        while let Some(open) = first.checked_sub(1).filter(|&open| self.is(open, b"(")) {
            let Some(name) = open.checked_sub(1) else { break };
            let callee = self.word(name);
            let is_list = self.language.lists.contains(&callee) || self.language.keywords.contains(&callee);
            if callee.is_empty() || is_list || !self.is(last + 1, b")") {
                break;
            }
            (first, last) = (name, last + 1);
            while first > 1 && self.is(first - 1, b".:") {
                first -= 1;
                if !self.is(first - 1, b":") && !self.word(first - 1).is_empty() {
                    first -= 1;
                }
            }
        }
        (first, last)
    }

    fn list(&self, at: usize) -> Option<List<'a>> {
        let (first, last) = self.element(at);
        let open = self.opening(first)?;
        let close = self.closing(last)?;
        let is_element =
            (first == open + 1 || self.is(first - 1, b",")) && (last + 1 == close || self.is(last + 1, b","));
        if !is_element || !self.is_list(open) {
            return None;
        }
        let has_comma = self.is(close - 1, b",");
        let end = if has_comma { close - 2 } else { close - 1 };
        let token = |at: usize| self.tokens.get(at).map(|token| (token.start as usize, token.end as usize));
        let own = (token(first)?.0, token(last)?.1);
        let literal = token(at)?;
        let start = self.last_start(open, end)?;
        Some(List {
            last: (token(start)?.0, token(end)?.1),
            comma: if has_comma { Some(token(close - 1)?.1) } else { None },
            inside: (token(open)?.1, token(close)?.0),
            is_last: end == last,
            around: (self.text.get(own.0..literal.0)?, self.text.get(literal.1..own.1)?),
        })
    }

    /// Where the last element of a list starts, which ends at a token.
    fn last_start(&self, open: usize, end: usize) -> Option<usize> {
        let mut depth = 0_i32;
        for at in (open + 1..=end).rev() {
            let token = self.tokens.get(at)?;
            depth += i32::from(token.closes()) - i32::from(token.opens());
            if depth == 0 && self.is(at, b",") {
                return Some(at + 1);
            }
        }
        Some(open + 1)
    }

    fn opening(&self, from: usize) -> Option<usize> {
        let mut depth = 0_i32;
        for at in (0..from).rev() {
            let token = self.tokens.get(at)?;
            depth += i32::from(token.closes()) - i32::from(token.opens());
            if depth < 0 {
                return Some(at);
            }
        }
        None
    }

    fn closing(&self, from: usize) -> Option<usize> {
        let mut depth = 0_i32;
        for at in from + 1..self.tokens.len() {
            let token = self.tokens.get(at)?;
            depth += i32::from(token.opens()) - i32::from(token.closes());
            if depth < 0 {
                return Some(at);
            }
        }
        None
    }

    /// Whether a bracket holds a list of any length, that is not an element itself.
    fn is_list(&self, open: usize) -> bool {
        let Some(mut before) = open.checked_sub(1) else { return false };
        if self.is(open, b"{") {
            match self.slice_start(before) {
                Some(start) => before = start.saturating_sub(1),
                None if self.language.typed && self.is(before, b"=") => {}
                None => return false,
            }
        } else if self.is(open, b"(") {
            if self.language.lists.contains(&self.word(before)) {
                before = before.saturating_sub(1);
                while self.is(before, b".") {
                    before = before.saturating_sub(2);
                }
            } else if !self.language.indented {
                return false;
            }
        } else if self.is(before, b"!") {
            before = before.saturating_sub(2);
        }
        while self.is(before, b"&") && before > 0 {
            before -= 1;
        }
        let is_value = self.is(before, b"=") || matches!(self.word(before), "in" | "range" | "return");
        // The list is all that a call is given.
        let is_given = self.is(before, b"(") && !self.word(before.saturating_sub(1)).is_empty();
        (is_value || is_given && self.is_all(before, open)) && !self.is_fixed(before)
    }

    fn is_all(&self, call: usize, open: usize) -> bool {
        let Some(close) = self.closing(open) else { return false };
        let end = if self.is(close + 1, b",") { close + 2 } else { close + 1 };
        self.closing(call) == Some(end)
    }

    /// Where the type of a list starts that ends in front of its brace: `[]string{`, `new String[] {`.
    fn slice_start(&self, last: usize) -> Option<usize> {
        let mut bracket = last;
        while !self.is(bracket, b"]") {
            if self.word(bracket).is_empty() && !self.is(bracket, b".*") {
                return None;
            }
            bracket = bracket.checked_sub(1)?;
        }
        let open = bracket.checked_sub(1).filter(|&open| self.is(open, b"["))?;
        let mut start = open;
        if bracket == last {
            while start > 0 && !self.word(start - 1).is_empty() {
                start -= 1;
            }
        }
        Some(start)
    }

    /// Whether the type of what is declared here says how many elements there are.
    fn is_fixed(&self, before: usize) -> bool {
        let head = (before.saturating_sub(16)..before).rev();
        let mut head = head.take_while(|&at| !self.is(at, b"{}"));
        head.any(|at| {
            let last = at.checked_sub(1).and_then(|last| self.tokens.get(last));
            let counts =
                last.is_some_and(|last| last.kind == Kind::Atom) || self.is(at.saturating_sub(2), b";");
            self.is(at, b"]") && counts
        })
    }
}

//! The tokens of code, as far as what declares a schema in words of its own needs them: words, texts, signs, and which bracket
//! closes which. Comments are left out; what a template in a text stands for is not known.

use crate::extract::languages;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Text,
    Sign,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    /// A text without its quotes.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
}

/// A call of a chain.
pub(super) struct Link<'a> {
    pub name: &'a str,
    /// Its parenthesis, if it has one.
    pub open: Option<usize>,
}

/// A range of tokens.
pub(super) type Range = (usize, usize);

/// The tokens of a file.
#[derive(Debug, Default)]
pub(super) struct Code<'a> {
    tokens: Vec<Token<'a>>,
    /// For each token that opens a bracket, the one that closes it.
    closes: Vec<usize>,
}

impl<'a> Code<'a> {
    pub fn new(text: &'a str) -> Self {
        Self::of(tokens(text, Kind::Word))
    }

    /// The same of JavaScript, where texts may stand between backticks.
    pub fn of_scripts(text: &'a str) -> Self {
        Self::of(tokens(text, Kind::Text))
    }

    fn of(tokens: Vec<Token<'a>>) -> Self {
        let mut closes = vec![tokens.len(); tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Sign) {
            match token.text {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    if let Some(close) = open.pop().and_then(|open: usize| closes.get_mut(open)) {
                        *close = at;
                    }
                }
                _ => {}
            }
        }
        Self { tokens, closes }
    }

    pub fn length(&self) -> usize {
        self.tokens.len()
    }

    /// The word at a token; empty where another kind is.
    pub fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).filter(|token| token.kind == Kind::Word).map_or("", |token| token.text)
    }

    /// The text at a token.
    pub fn text(&self, at: usize) -> Option<&'a str> {
        self.tokens.get(at).filter(|token| token.kind == Kind::Text).map(|token| token.text)
    }

    pub fn is(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Sign && token.text == sign)
    }

    pub fn opens(&self, at: usize) -> bool {
        ["(", "[", "{"].iter().any(|sign| self.is(at, sign))
    }

    /// The bracket that closes the one at a token.
    pub fn close(&self, open: usize) -> usize {
        self.closes.get(open).copied().unwrap_or(self.tokens.len())
    }

    /// The first byte of a token.
    pub fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(0, |token| token.start)
    }

    /// Everything in a range, without white space.
    pub fn spelling(&self, (from, to): Range) -> String {
        self.tokens.get(from..to).unwrap_or_default().iter().map(|token| token.text).collect()
    }

    /// The ranges between the commas of a bracket. Those between `<` and `>` are of a type.
    pub fn arguments(&self, open: usize) -> Vec<Range> {
        let close = self.close(open);
        let (mut found, mut start, mut at, mut angles) = (Vec::new(), open + 1, open + 1, 0_usize);
        while at < close {
            match () {
                () if self.opens(at) => at = self.close(at),
                () if self.is(at, "<") => angles += 1,
                () if self.is(at, ">") => angles = angles.saturating_sub(1),
                () if self.is(at, ",") && angles == 0 => {
                    found.push((start, at));
                    start = at + 1;
                }
                () => {}
            }
            at += 1;
        }
        if start < close {
            found.push((start, close));
        }
        found
    }

    /// The calls of a chain behind a token, and the token behind them.
    pub fn links(&self, mut at: usize) -> (Vec<Link<'a>>, usize) {
        let mut found = Vec::new();
        while self.is(at + 1, ".") && !self.word(at + 2).is_empty() {
            let open = Some(at + 3).filter(|&open| self.is(open, "("));
            found.push(Link { name: self.word(at + 2), open });
            at = open.map_or(at + 2, |open| self.close(open));
        }
        (found, at + 1)
    }

    /// The texts that stand alone between the commas of a bracket.
    pub fn texts(&self, open: usize) -> Vec<&'a str> {
        self.arguments(open).into_iter().filter_map(|range| self.alone(range)).collect()
    }

    /// The text that a range is, and nothing else.
    pub fn alone(&self, (from, to): Range) -> Option<&'a str> {
        self.text(from).filter(|_| to == from + 1)
    }

    /// A value as SQL, where it is a text, a number or a truth and nothing else.
    pub fn value(&self, (from, to): Range) -> Option<String> {
        if let Some(text) = self.text(from) {
            let is_plain = to == from + 1 && !text.contains('\\');
            return is_plain.then(|| format!("'{}'", text.replace('\'', "''")));
        }
        match self.spelling((from, to)).as_str() {
            "true" => Some("1".to_owned()),
            "false" => Some("0".to_owned()),
            number => number.parse::<f64>().ok().filter(|one| one.is_finite()).map(|_| number.to_owned()),
        }
    }

    /// The value that a call is given first.
    pub fn first_value(&self, open: usize) -> Option<String> {
        self.arguments(open).first().and_then(|&range| self.value(range))
    }

    /// The elements of a list: in brackets, of `arrayOf(…)`, or one alone.
    pub fn elements(&self, (from, to): Range) -> Vec<Range> {
        let makes = matches!(self.word(from), "arrayOf" | "value") && self.is(from + 1, "(");
        let open = from + usize::from(makes);
        let is_list = self.is(open, "[") || self.is(open, "{") || makes;
        if is_list && self.close(open) < to { self.arguments(open) } else { vec![(from, to)] }
    }

    /// The words with which the types between `<` and `>` begin, variance aside: `<in T, K : Map<A, B>>` has `T` and `K`.
    pub fn types(&self, open: usize, end: usize) -> Vec<&'a str> {
        let (mut depth, mut found) = (0_usize, Vec::new());
        for at in open..end {
            depth += usize::from(self.is(at, "<"));
            depth -= usize::from(self.is(at, ">") && depth > 0);
            if depth == 1 && (self.is(at, "<") || self.is(at, ",")) {
                let is_variance = matches!(self.word(at + 1), "in" | "out" | "reified");
                found.push(self.word(at + 1 + usize::from(is_variance)));
            }
        }
        found
    }

    /// The token behind a type that starts at a token.
    pub fn behind_type(&self, start: usize) -> usize {
        let mut at = start + 1;
        while self.is(at, ".") && !self.word(at + 1).is_empty() {
            at += 2;
        }
        if self.is(at, "<") {
            let mut depth = 0_usize;
            while at < self.tokens.len() {
                depth += usize::from(self.is(at, "<"));
                depth -= usize::from(self.is(at, ">") && depth > 0);
                at += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        while self.is(at, "?") || (self.is(at, "[") && self.is(at + 1, "]")) {
            at += if self.is(at, "[") { 2 } else { 1 };
        }
        at
    }
}

/// Whether a file, by its path, is code of C#.
pub fn is_csharp(path: &str) -> bool {
    languages::of(path).is_some_and(|language| language.name == "C#")
}

/// `ticks` is what stands between backticks: a name in Kotlin, `` `in` ``.
fn tokens(text: &str, ticks: Kind) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let is_word = |one: char| one.is_alphanumeric() || one == '_';
        let find = |from: usize, end: &str| {
            rest.get(from..)
                .and_then(|behind| behind.find(end))
                .map_or(rest.len(), |found| from + found + end.len())
        };
        let length = match first {
            _ if rest.starts_with("//") => find(2, "\n"),
            _ if rest.starts_with("/*") => find(2, "*/"),
            _ if rest.starts_with("\"\"\"") => {
                let length = find(3, "\"\"\"");
                let inner = rest.get(3..length.saturating_sub(3)).unwrap_or("");
                found.push(Token { kind: Kind::Text, text: inner, start: at + 3 });
                length
            }
            '"' | '\'' => {
                let length = quoted(rest, first);
                let inner = rest.get(1..length.saturating_sub(1)).unwrap_or("");
                found.push(Token { kind: Kind::Text, text: inner, start: at + 1 });
                length
            }
            // A text of C# that goes over lines, in which quotes are doubled.
            '@' | '$' if VERBATIM.iter().any(|start| rest.starts_with(start)) => {
                let start = rest.find('"').map_or(rest.len(), |at| at + 1);
                let length = start + verbatim(rest.get(start..).unwrap_or(""));
                let inner = rest.get(start..length.saturating_sub(1)).unwrap_or("");
                found.push(Token { kind: Kind::Text, text: inner, start: at + start });
                length
            }
            '`' => {
                let length = find(1, "`");
                let inner = rest.get(1..length.saturating_sub(1)).unwrap_or("");
                found.push(Token { kind: ticks, text: inner, start: at + 1 });
                length
            }
            _ if is_word(first) => {
                let length = rest.find(|one| !is_word(one)).unwrap_or(rest.len());
                found.push(Token { kind: Kind::Word, text: rest.get(..length).unwrap_or(""), start: at });
                length
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let length = first.len_utf8();
                found.push(Token { kind: Kind::Sign, text: rest.get(..length).unwrap_or(""), start: at });
                length
            }
        };
        at += length.max(1);
    }
    found
}

/// How texts of C# begin that go over lines.
const VERBATIM: [&str; 3] = ["@\"", "$@\"", "@$\""];

/// The length of such a text behind its first quote, with the last.
fn verbatim(rest: &str) -> usize {
    let mut at = 0;
    while let Some(quote) = rest.get(at..).and_then(|rest| rest.find('"')).map(|found| at + found) {
        at = quote + 1;
        if !rest.get(at..).is_some_and(|rest| rest.starts_with('"')) {
            return at;
        }
        at += 1;
    }
    rest.len()
}

/// The length of a text in quotes, with them.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, one) in rest.char_indices().skip(1) {
        match one {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            _ if one == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

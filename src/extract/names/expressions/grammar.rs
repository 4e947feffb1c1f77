//! Reads one expression from tokens, by the precedence of SQLite's operators.

mod operand;

use super::{Expression, Form};
use crate::extract::names::tokens::{Kind, Token, unquoted};

/// The most expressions within each other.
const DEEPEST: usize = 40;

/// How tight operators bind, from the loosest.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const EQUALITY: u8 = 4;
const ORDER: u8 = 5;
const BITS: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const JOINED: u8 = 9;
const COLLATE: u8 = 10;
const SIGN: u8 = 11;

/// Operators of signs, the longer before those that they begin with.
const SIGNS: &[(&str, u8)] = &[
    ("->>", JOINED),
    ("->", JOINED),
    ("||", JOINED),
    ("<<", BITS),
    (">>", BITS),
    ("<=", ORDER),
    (">=", ORDER),
    ("<>", EQUALITY),
    ("!=", EQUALITY),
    ("==", EQUALITY),
    ("=", EQUALITY),
    ("<", ORDER),
    (">", ORDER),
    ("&", BITS),
    ("|", BITS),
    ("+", SUM),
    ("-", SUM),
    ("*", PRODUCT),
    ("/", PRODUCT),
    ("%", PRODUCT),
];

/// Reads tokens from a place on.
pub(super) struct Reader<'t, 'a> {
    tokens: &'t [Token<'a>],
    partners: &'t [Option<usize>],
    at: usize,
    depth: usize,
}

impl<'t, 'a> Reader<'t, 'a> {
    pub fn new(tokens: &'t [Token<'a>], partners: &'t [Option<usize>], at: usize) -> Self {
        Self { tokens, partners, at, depth: 0 }
    }

    pub fn skip(&mut self) {
        self.at += 1;
    }

    fn peek(&self, ahead: usize) -> Option<&'t Token<'a>> {
        self.tokens.get(self.at + ahead)
    }

    fn is_word(&self, ahead: usize, word: &str) -> bool {
        self.peek(ahead).is_some_and(|token| token.is_word(word))
    }

    fn is_symbol(&self, ahead: usize, symbol: &str) -> bool {
        self.peek(ahead).is_some_and(|token| token.is_symbol(symbol))
    }

    /// Passes over a word, if it is there.
    fn takes(&mut self, word: &str) -> bool {
        let is = self.is_word(0, word);
        self.at += usize::from(is);
        is
    }

    /// Passes over a sign that must be there.
    fn sign(&mut self, symbol: &str) -> Option<usize> {
        let token = self.peek(0).filter(|token| token.is_symbol(symbol))?;
        self.at += 1;
        Some(token.end())
    }

    /// An expression; `None` where it is not understood.
    pub fn expression(&mut self) -> Option<Expression> {
        self.within(OR)
    }

    /// The terms of an ORDER BY: what they are, whether DESC, and whether they place NULLs.
    pub fn order(&mut self) -> Vec<(Expression, bool, bool)> {
        let mut terms = Vec::new();
        while let Some(expression) = self.expression() {
            let descending = self.takes("DESC");
            self.takes("ASC");
            let places_nulls = self.takes("NULLS");
            self.at += usize::from(places_nulls);
            terms.push((expression, descending, places_nulls));
            if self.sign(",").is_none() {
                break;
            }
        }
        terms
    }

    fn within(&mut self, least: u8) -> Option<Expression> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut left = self.primary()?;
        while let Some(next) = self.infix(&left, least)? {
            left = next;
        }
        self.depth -= 1;
        Some(left)
    }

    /// What stands behind an expression and takes it in; `Some(None)` where nothing does.
    #[expect(clippy::option_option, reason = "not understood and not there are different things")]
    fn infix(&mut self, left: &Expression, least: u8) -> Option<Option<Expression>> {
        let Some(token) = self.peek(0) else { return Some(None) };
        if token.kind == Kind::Symbol {
            let sign = SIGNS.iter().find(|(sign, _)| self.has_sign(sign));
            let Some((sign, tightness)) = sign.filter(|(_, tightness)| *tightness >= least) else {
                return Some(None);
            };
            self.at += sign.len();
            let operator = match *sign {
                "==" => "=",
                "!=" => "<>",
                sign => sign,
            };
            return self.binary(left, operator, tightness + 1).map(Some);
        }
        let binds = |tightness: u8| tightness >= least;
        if token.is_word("OR") && binds(OR) {
            self.skip();
            return self.binary(left, "OR", AND).map(Some);
        }
        if token.is_word("AND") && binds(AND) {
            self.skip();
            return self.binary(left, "AND", NOT).map(Some);
        }
        if token.is_word("COLLATE") && binds(COLLATE) {
            let name = self.peek(1)?;
            self.at += 2;
            let form = Form::Collate(Box::new(left.clone()), unquoted(name.text));
            return Some(Some(Expression { start: left.start, end: name.end(), form }));
        }
        if binds(EQUALITY) { self.test(left) } else { Some(None) }
    }

    /// Whether these signs follow without a gap, and are no part of a longer operator that is none.
    fn has_sign(&self, sign: &str) -> bool {
        let mut end = None;
        sign.char_indices().all(|(at, character)| {
            let token = self.peek(at);
            let fits = token.is_some_and(|token| {
                token.kind == Kind::Symbol
                    && token.text.starts_with(character)
                    && end.is_none_or(|end| end == token.start)
            });
            end = token.map(Token::end);
            fits
        })
    }

    fn binary(&mut self, left: &Expression, operator: &str, least: u8) -> Option<Expression> {
        let right = self.within(least)?;
        let (start, end) = (left.start, right.end);
        let form = Form::Binary(operator.to_owned(), Box::new(left.clone()), Box::new(right));
        Some(Expression { start, end, form })
    }

    /// IS, LIKE, IN, BETWEEN and the like.
    #[expect(clippy::option_option, reason = "not understood and not there are different things")]
    fn test(&mut self, left: &Expression) -> Option<Option<Expression>> {
        let from = self.at;
        if self.takes("IS") {
            let negated = self.takes("NOT");
            let distinct = self.takes("DISTINCT") && self.takes("FROM");
            let operator = if negated == distinct { "IS" } else { "IS NOT" };
            return self.binary(left, operator, ORDER).map(Some);
        }
        for (word, operator) in [("ISNULL", "IS"), ("NOTNULL", "IS NOT")] {
            if self.takes(word) {
                return self.null(left, operator).map(Some);
            }
        }
        let negated = self.takes("NOT");
        if negated && self.takes("NULL") {
            return self.null(left, "IS NOT").map(Some);
        }
        for word in ["LIKE", "GLOB", "REGEXP", "MATCH"] {
            if self.takes(word) {
                let operator = if negated { format!("NOT {word}") } else { word.to_owned() };
                let mut test = self.binary(left, &operator, ORDER)?;
                if self.takes("ESCAPE") {
                    test.end = self.within(ORDER)?.end;
                }
                return Some(Some(test));
            }
        }
        if self.takes("BETWEEN") {
            return self.between(left, negated).map(Some);
        }
        if self.takes("IN") {
            return self.list(left, negated).map(Some);
        }
        self.at = from;
        Some(None)
    }

    /// `x ISNULL`, whose NULL is in the word before.
    fn null(&self, left: &Expression, operator: &str) -> Option<Expression> {
        let end = self.tokens.get(self.at.checked_sub(1)?)?.end();
        let null = Expression { start: end, end, form: Form::Null };
        let form = Form::Binary(operator.to_owned(), Box::new(left.clone()), Box::new(null));
        Some(Expression { start: left.start, end, form })
    }

    fn between(&mut self, left: &Expression, negated: bool) -> Option<Expression> {
        let low = self.within(ORDER)?;
        if !self.takes("AND") {
            return None;
        }
        let high = self.within(ORDER)?;
        let (start, end, of) = (left.start, high.end, Box::new(left.clone()));
        let form = Form::Between { negated, of, low: Box::new(low), high: Box::new(high) };
        Some(Expression { start, end, form })
    }

    fn list(&mut self, left: &Expression, negated: bool) -> Option<Expression> {
        let of = Box::new(left.clone());
        if !self.is_symbol(0, "(") {
            // A table.
            let name = self.primary()?;
            let form = Form::In { negated, of, list: None };
            return Some(Expression { start: left.start, end: name.end, form });
        }
        let is_query = self.begins_query();
        let (list, end) = if is_query {
            (None, self.close()?)
        } else {
            self.items().map(|(list, end)| (Some(list), end))?
        };
        Some(Expression { start: left.start, end, form: Form::In { negated, of, list } })
    }

    fn begins_query(&self) -> bool {
        self.peek(1).is_some_and(|token| token.is_one_of(&["SELECT", "WITH", "VALUES"]))
    }

    /// Passes over all within a parenthesis.
    fn close(&mut self) -> Option<usize> {
        let close = self.partners.get(self.at).copied().flatten()?;
        self.at = close + 1;
        self.tokens.get(close).map(Token::end)
    }

    /// What stands between parentheses and commas.
    fn items(&mut self) -> Option<(Vec<Expression>, usize)> {
        self.sign("(")?;
        let mut items = Vec::new();
        if let Some(end) = self.sign(")") {
            return Some((items, end));
        }
        loop {
            items.push(self.within(OR)?);
            if self.sign(",").is_none() {
                return self.sign(")").map(|end| (items, end));
            }
        }
    }
}

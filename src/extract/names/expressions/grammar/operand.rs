//! What stands between operators: columns, literals, calls, and what begins with a word of its own.

use super::{Expression, Form, NOT, OR, Reader, SIGN};
use crate::extract::names::tokens::{Kind, unquoted};

/// Words that are no column where an expression should begin.
const RESERVED: &[&str] = &[
    "AND",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "DESC",
    "ELSE",
    "END",
    "EXCEPT",
    "FROM",
    "GROUP",
    "HAVING",
    "IN",
    "INTERSECT",
    "IS",
    "JOIN",
    "LIMIT",
    "ON",
    "OR",
    "ORDER",
    "RAISE",
    "RETURNING",
    "SELECT",
    "SET",
    "THEN",
    "UNION",
    "WHEN",
    "WHERE",
    "WINDOW",
];

impl Reader<'_, '_> {
    pub(super) fn primary(&mut self) -> Option<Expression> {
        let token = self.peek(0)?;
        let (start, mut end) = (token.start, token.end());
        let form = match token.kind {
            Kind::Symbol => return self.signed(),
            Kind::Parameter => Form::Parameter,
            Kind::Number if token.text.ends_with(['e', 'E']) && !token.text.starts_with("0x") => return None,
            Kind::Number => Form::Number,
            Kind::String if token.text.starts_with('\'') => Form::Text,
            Kind::String => Form::Blob,
            Kind::Word if token.is_word("NULL") => Form::Null,
            Kind::Word if token.is_one_of(&["TRUE", "FALSE"]) => Form::Number,
            Kind::Word if token.is_word("NOT") => return self.negation(),
            Kind::Word if token.is_word("EXISTS") => {
                self.skip();
                end = self.close()?;
                return Some(Expression { start, end, form: Form::Subquery });
            }
            Kind::Word if token.is_word("CASE") => return self.case(),
            Kind::Word if token.is_word("CAST") && self.is_symbol(1, "(") => return self.cast(),
            Kind::Word if token.is_one_of(RESERVED) => return None,
            Kind::Word if self.is_symbol(1, "(") => return self.call(),
            Kind::Word | Kind::Quoted => return self.column(),
        };
        self.skip();
        Some(Expression { start, end, form })
    }

    fn negation(&mut self) -> Option<Expression> {
        let start = self.peek(0)?.start;
        self.skip();
        let of = self.within(NOT)?;
        Some(Expression { start, end: of.end, form: Form::Unary("NOT", Box::new(of)) })
    }

    /// A sign before an expression, or a parenthesis around it.
    fn signed(&mut self) -> Option<Expression> {
        let token = self.peek(0)?;
        let start = token.start;
        if let Some(sign) = ["+", "-", "~"].into_iter().find(|sign| token.is_symbol(sign)) {
            self.skip();
            let of = self.within(SIGN)?;
            return Some(Expression { start, end: of.end, form: Form::Unary(sign, Box::new(of)) });
        }
        if token.is_symbol("(") && self.begins_query() {
            let end = self.close()?;
            return Some(Expression { start, end, form: Form::Subquery });
        }
        let (mut items, end) = self.items()?;
        let form = if items.len() == 1 { items.pop()?.form } else { Form::Other(items) };
        Some(Expression { start, end, form })
    }

    fn column(&mut self) -> Option<Expression> {
        let start = self.peek(0)?.start;
        let mut parts = vec![self.peek(0)?];
        self.skip();
        while self.is_symbol(0, ".") {
            parts.push(self.peek(1)?);
            self.at += 2;
        }
        let name = parts.pop()?;
        let form = Form::Column {
            qualifier: parts.pop().map(|part| unquoted(part.text)),
            name: unquoted(name.text),
            is_quoted: name.text.starts_with('"'),
            name_start: name.start,
        };
        Some(Expression { start, end: name.end(), form })
    }

    fn call(&mut self) -> Option<Expression> {
        let name = self.peek(0)?;
        self.skip();
        let (arguments, mut end) = if self.is_symbol(1, "*") || self.is_word(1, "DISTINCT") {
            (Vec::new(), self.close()?)
        } else {
            self.items()?
        };
        let mut is_plain = true;
        while self.is_word(0, "FILTER") || self.is_word(0, "OVER") {
            is_plain = false;
            self.skip();
            end = if self.is_symbol(0, "(") { self.close()? } else { self.column()?.end };
        }
        let called = Form::Call(name.text.to_ascii_lowercase(), arguments);
        let form = if is_plain { called } else { Form::Other(Vec::new()) };
        Some(Expression { start: name.start, end, form })
    }

    fn cast(&mut self) -> Option<Expression> {
        let start = self.peek(0)?.start;
        let close = self.partners.get(self.at + 1).copied().flatten()?;
        self.at += 2;
        let of = self.within(OR)?;
        if !self.takes("AS") {
            return None;
        }
        let words: Vec<&str> = self.tokens.get(self.at..close)?.iter().map(|token| token.text).collect();
        self.at = close + 1;
        let end = self.tokens.get(close)?.end();
        Some(Expression { start, end, form: Form::Cast(Box::new(of), words.join(" ").to_ascii_uppercase()) })
    }

    fn case(&mut self) -> Option<Expression> {
        let start = self.peek(0)?.start;
        self.skip();
        let mut parts = Vec::new();
        loop {
            let token = self.peek(0)?;
            if token.is_word("END") {
                self.skip();
                return Some(Expression { start, end: token.end(), form: Form::Other(parts) });
            }
            if token.is_one_of(&["WHEN", "THEN", "ELSE"]) {
                self.skip();
            }
            parts.push(self.within(OR)?);
        }
    }
}

//! The literals that a program compares columns with, and those that a CHECK allows.

use super::tokens::{Kind, Token, tokens};
use crate::schema::{quoted_text, sqlite::types::Value};
use std::ops::RangeInclusive;

/// The most numbers between two of a CHECK that are taken for kinds.
const FEW: i64 = 8;

/// A literal, in an order that does not depend on where it stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Literal {
    /// NULL.
    Null,
    /// An integer, or TRUE and FALSE.
    Integer(i64),
    /// A string.
    Text(String),
    /// A number with a fraction, or a blob, as written.
    Other(String),
}

impl Literal {
    /// The value that SQLite stores for it.
    pub fn value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(number) => Value::Integer(*number),
            Self::Text(text) => Value::Text(text.clone()),
            Self::Other(text) => text.parse().map_or_else(|_| Value::Blob(blob(text)), Value::Real),
        }
    }

    /// As it is written in SQL.
    pub fn sql(&self) -> String {
        match self {
            Self::Null => "NULL".to_owned(),
            Self::Integer(number) => number.to_string(),
            Self::Text(text) => quoted_text(text),
            Self::Other(text) => text.clone(),
        }
    }
}

fn blob(text: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        text.chars().skip(2).filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
}

/// The literals of a text, which may be a list of them.
pub(super) fn literals(text: &str) -> Vec<Literal> {
    of_tokens(&tokens(text))
}

/// The literals of a list behind IN. An empty text there is what closes it where a loop writes it.
pub(super) fn listed(text: &str) -> impl Iterator<Item = Literal> {
    literals(text).into_iter().filter(|one| !matches!(one, Literal::Text(text) if text.is_empty()))
}

/// The literal that tokens are, where they are nothing else.
pub(super) fn alone(tokens: &[Token<'_>]) -> Option<Literal> {
    let is_one = match tokens {
        [_] => true,
        [sign, number] => sign.is("-") && number.kind == Kind::Number,
        _ => false,
    };
    let is_filled = |one: &Literal| matches!(one, Literal::Text(text) if is_conversion(text));
    of_tokens(tokens).pop().filter(|one| is_one && !is_filled(one))
}

/// Whether a text is nothing but what a formatter puts a value for, one that is not known among them: `%s`, `%1%`, `{0}`.
pub(super) fn is_conversion(text: &str) -> bool {
    let is_short = |inner: &str| {
        (1..=4).contains(&inner.len())
            && inner.bytes().all(|one| one.is_ascii_alphanumeric() || b".-*".contains(&one))
    };
    let percent = text.strip_prefix('%').map(|inner| inner.strip_suffix('%').unwrap_or(inner));
    let braces = text.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    percent.is_some_and(is_short) || braces.is_some_and(is_short)
}

fn of_tokens(tokens: &[Token<'_>]) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut negative = false;
    for token in tokens {
        let sign = if negative { "-" } else { "" };
        match token.kind {
            Kind::Number => {
                let text = format!("{sign}{}", token.text);
                found.push(text.parse().map_or(Literal::Other(text), Literal::Integer));
            }
            Kind::String => found.push(Literal::Text(token.plain())),
            Kind::Blob => found.push(Literal::Other(token.text.to_owned())),
            Kind::Word if token.is("TRUE") => found.push(Literal::Integer(1)),
            Kind::Word if token.is("FALSE") => found.push(Literal::Integer(0)),
            Kind::Word if token.is("NULL") => found.push(Literal::Null),
            _ => {}
        }
        negative = token.is("-");
    }
    found
}

/// The CHECKs of a table: for each what it compares with what.
#[derive(Debug, Default)]
pub(super) struct Checks<'a> {
    bodies: Vec<Vec<Token<'a>>>,
}

impl<'a> Checks<'a> {
    /// Those in a CREATE TABLE.
    pub fn of(sql: &'a str) -> Self {
        let mut bodies: Vec<Vec<Token<'a>>> = Vec::new();
        let mut depth = 0_u32;
        let mut before = false;
        for token in tokens(sql) {
            if depth > 0 {
                depth = if token.is("(") {
                    depth + 1
                } else if token.is(")") {
                    depth - 1
                } else {
                    depth
                };
                if depth > 0
                    && let Some(body) = bodies.last_mut()
                {
                    body.push(token);
                }
            } else if before && token.is("(") {
                bodies.push(Vec::new());
                depth = 1;
            }
            before = token.kind == Kind::Word && token.is("CHECK");
        }
        Self { bodies }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Whether some CHECK names a column.
    pub fn names(&self, column: &str) -> bool {
        self.bodies.iter().flatten().any(|token| is_name(token, column))
    }

    /// Whether a CHECK asks for the length of a column.
    pub fn asks_length(&self, column: &str) -> bool {
        self.bodies.iter().flat_map(|body| body.windows(3)).any(|three| {
            matches!(three, [name, open, own] if (name.is("LENGTH") || name.is("OCTET_LENGTH")) && open.is("(") && is_name(own, column))
        })
    }

    /// The names that CHECKs compare with each other: one, the other, and how much more the other has to be at least.
    pub fn compared(&self) -> Vec<(String, String, i64)> {
        let windows = self.bodies.iter().flat_map(|body| body.windows(3));
        let pairs = windows.filter_map(|three| match three {
            [one, sign, other] if one.kind == Kind::Word && other.kind == Kind::Word => {
                let more = match sign.text {
                    "<" | "<=" => 1,
                    ">" | ">=" => -1,
                    "=" | "==" => 0,
                    _ => return None,
                };
                Some((one.plain(), other.plain(), more))
            }
            _ => None,
        });
        pairs.collect()
    }

    /// All literals in CHECKs that name a column.
    pub fn literals(&self, column: &str) -> Vec<Literal> {
        let bodies = self.bodies.iter().filter(|body| body.iter().any(|token| is_name(token, column)));
        let mut found: Vec<Literal> = bodies.flat_map(|body| of_tokens(body)).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The numbers between which CHECKs hold a column, by BETWEEN and by comparisons that AND joins.
    pub fn bounds(&self, column: &str) -> RangeInclusive<i64> {
        self.bounded(column).0
    }

    /// The same, and how many terms say so.
    fn bounded(&self, column: &str) -> (RangeInclusive<i64>, usize) {
        let number = |tokens: &[Token<'_>]| {
            let end = tokens.iter().rposition(|token| !token.is(")")).map_or(0, |last| last + 1);
            match alone(tokens.get(..end)?) {
                Some(Literal::Integer(number)) => Some(number),
                _ => None,
            }
        };
        let (mut low, mut high, mut count) = (i64::MIN, i64::MAX, 0);
        for body in
            self.bodies.iter().filter(|body| !body.iter().any(|token| token.is("OR") || token.is("NOT")))
        {
            let begins = |at: usize| {
                let outer = body.iter().take(at).rev().find(|token| !token.is("("));
                outer.is_none_or(|before| before.is("AND"))
            };
            for (at, _) in body.iter().enumerate().filter(|(at, token)| is_name(token, column) && begins(*at))
            {
                let behind = body.get(at + 1..).unwrap_or_default();
                let mut terms = behind.split(|token| token.is("AND"));
                let Some(([operator, first @ ..], second)) = terms.next().map(|term| (term, terms.next()))
                else {
                    continue;
                };
                let Some(bound) = number(first) else { continue };
                match operator.text {
                    ">" => low = low.max(bound.saturating_add(1)),
                    ">=" => low = low.max(bound),
                    "<" => high = high.min(bound.saturating_sub(1)),
                    "<=" => high = high.min(bound),
                    _ if operator.is("BETWEEN") => {
                        low = low.max(bound);
                        high = second.and_then(number).map_or(high, |most| high.min(most));
                    }
                    _ => continue,
                }
                count += 1;
            }
        }
        (low..=high, count)
    }

    /// The literals to which CHECKs hold a column, by `=` and IN, or as the few numbers between two.
    pub fn allowed(&self, column: &str) -> Vec<Literal> {
        let mut found = Vec::new();
        for body in &self.bodies {
            for (at, token) in body.iter().enumerate().filter(|(_, token)| is_name(token, column)) {
                let rest = || body.iter().skip(at + 1);
                let Some(operator) = rest().next() else { continue };
                let taken: Vec<Token<'_>> = if operator.is("=") || operator.is("==") {
                    rest().skip(1).take_while(|token| !token.is("OR") && !token.is("AND")).copied().collect()
                } else if operator.is("IN") {
                    rest().skip(1).take_while(|token| !token.is(")")).copied().collect()
                } else {
                    continue;
                };
                if token.kind == Kind::Word {
                    found.extend(of_tokens(&taken));
                }
            }
        }
        let (bounds, terms) = self.bounded(column);
        // Another term may forbid some of them.
        let named = self.bodies.iter().flatten().filter(|token| is_name(token, column)).count();
        if found.is_empty() && named == terms && bounds.end().saturating_sub(*bounds.start()) < FEW {
            found.extend(bounds.map(Literal::Integer));
        }
        found.sort();
        found.dedup();
        found
    }
}

fn is_name(token: &Token<'_>, column: &str) -> bool {
    token.kind == Kind::Word && token.plain().eq_ignore_ascii_case(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_as_values() {
        let found = literals("1, -2, 'a''b', TRUE, NULL, 1.5, x'0aFF'");
        let values: Vec<Value> = found.iter().map(Literal::value).collect();
        assert_eq!(
            values,
            [
                Value::Integer(1),
                Value::Integer(-2),
                Value::Text("a'b".to_owned()),
                Value::Integer(1),
                Value::Null,
                Value::Real(1.5),
                Value::Blob(vec![10, 255])
            ]
        );
    }

    #[test]
    fn a_check_says_which_values_a_column_takes() {
        let sql = "CREATE TABLE t(state TEXT CHECK (state IN ('a', 'b')), kind INT,
                   CHECK (kind = 1 OR kind = 2), CHECK (length(hash) = 32), hash BLOB)";
        let checks = Checks::of(sql);
        assert_eq!(checks.allowed("state"), [Literal::Text("a".to_owned()), Literal::Text("b".to_owned())]);
        assert_eq!(checks.allowed("kind"), [Literal::Integer(1), Literal::Integer(2)]);
        assert!(checks.allowed("hash").is_empty());
        assert_eq!(checks.literals("hash"), [Literal::Integer(32)]);
        assert!(!checks.names("length_of") && checks.names("HASH"));
        let checks = Checks::of("CREATE TABLE t(a INT, b INT, c INT, CHECK (a < b AND c >= b AND a > 3))");
        let pair = |one: &str, other: &str, more| (one.to_owned(), other.to_owned(), more);
        assert_eq!(checks.compared(), [pair("a", "b", 1), pair("c", "b", -1)]);
        let checks = Checks::of(
            "CREATE TABLE t(a INT CHECK (a BETWEEN 1 AND 3), b INT CHECK ((b >= 0) AND (b < 500)),
             c INT CHECK (c > 2 OR b = 3), d INT CHECK (d < 3 * b AND length(d) > 1))",
        );
        assert_eq!(checks.allowed("a"), [1, 2, 3].map(Literal::Integer));
        assert!(
            Checks::of("CREATE TABLE t(a INT CHECK (a BETWEEN 1 AND 3 AND a <> 2))").allowed("a").is_empty()
        );
        assert_eq!(
            ["a", "b", "c", "d"].map(|name| checks.bounds(name)),
            [1..=3, 0..=499, i64::MIN..=i64::MAX, i64::MIN..=i64::MAX]
        );
    }
}

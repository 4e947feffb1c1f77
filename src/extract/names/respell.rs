//! What SQLite understands and the parser does not, spelt so that it does, without moving a byte: a place in
//! the new text is the same place in the old one, and names are read from the old one.

use super::tokens::{Kind, Token};

/// What follows IS and is no value.
const AFTER_IS: &[&str] = &["DISTINCT", "FALSE", "NULL", "TRUE", "UNKNOWN"];

/// Words of other dialects, which are names to SQLite.
const NAMES: &[&str] = &[
    "ANTI",
    "ARRAY",
    "ASOF",
    "CLUSTER",
    "CONNECT",
    "DISTRIBUTE",
    "FETCH",
    "FORMAT",
    "GLOBAL",
    "INTERVAL",
    "LATERAL",
    "MINUS",
    "OUTPUT",
    "PIVOT",
    "PREWHERE",
    "QUALIFY",
    "SAMPLE",
    "SEMI",
    "SETTINGS",
    "SORT",
    "START",
    "TOP",
    "UNPIVOT",
];

/// The text to parse.
pub(super) fn respell(sql: &str, tokens: &[Token<'_>]) -> String {
    let mut text = Respelt { bytes: sql.as_bytes().to_vec() };
    for at in 0..tokens.len() {
        text.respell(tokens.get(at..).unwrap_or_default());
    }
    // ASCII is written over whole characters, so what is left is UTF-8.
    String::from_utf8(text.bytes).unwrap_or_else(|_| sql.to_owned())
}

struct Respelt {
    bytes: Vec<u8>,
}

impl Respelt {
    /// Respells what begins with the first of these tokens.
    fn respell(&mut self, tokens: &[Token<'_>]) {
        let [token, rest @ ..] = tokens else { return };
        let is = |at: usize, word: &str| rest.get(at).is_some_and(|token| token.is_word(word));
        let opens = |at: usize| rest.get(at).is_some_and(|token| token.is_symbol("("));
        if token.kind == Kind::Word && !token.text.is_ascii() {
            self.plain(token);
        } else if token.is_one_of(NAMES) && !opens(0) {
            self.write(token, "_");
        } else if token.is_word("INDEXED") && is(0, "BY") {
            self.blank(tokens.get(..3));
        } else if token.is_word("NOT") && is(0, "INDEXED") {
            self.blank(tokens.get(..2));
        } else if token.is_word("AS") && is(0, "MATERIALIZED") {
            self.blank(rest.get(..1));
        } else if token.is_word("AS") && is(0, "NOT") && is(1, "MATERIALIZED") {
            self.blank(rest.get(..2));
        } else if token.is_word("CROSS") && is(0, "JOIN") {
            // A CROSS JOIN takes no ON there.
            self.blank(tokens.get(..1));
        } else if token.is_word("GLOB") && !opens(0) {
            self.write(token, "LIKE");
        } else if token.is_word("IS") {
            self.comparison(token, rest);
        } else if token.is_word("IN") && opens(1) {
            // The rows of a table-valued function become a list of its arguments.
            self.blank(rest.get(..1).filter(|name| name.iter().all(|name| name.kind == Kind::Word)));
        } else if token.is_word("CONFLICT") && opens(0) {
            let target = rest.iter().position(|token| token.is_word("DO"));
            self.blank(target.and_then(|length| rest.get(..length)));
        }
    }

    /// `a IS b` becomes `a =  b`.
    fn comparison(&mut self, is: &Token<'_>, rest: &[Token<'_>]) {
        let negation = rest.get(..1).filter(|next| next.iter().all(|next| next.is_word("NOT")));
        let value = rest.get(negation.map_or(0, <[_]>::len));
        if value.is_some_and(|value| !value.is_one_of(AFTER_IS)) {
            self.write(is, if negation.is_some() { "<>" } else { "= " });
            self.blank(negation);
        }
    }

    /// Not every character of a name is one there.
    fn plain(&mut self, token: &Token<'_>) {
        for byte in
            self.bytes.iter_mut().skip(token.start).take(token.text.len()).filter(|byte| !byte.is_ascii())
        {
            *byte = b'_';
        }
    }

    /// Writes over the first bytes of a token.
    fn write(&mut self, token: &Token<'_>, text: &str) {
        for (byte, new) in self.bytes.iter_mut().skip(token.start).zip(text.bytes()) {
            *byte = new;
        }
    }

    fn blank(&mut self, tokens: Option<&[Token<'_>]>) {
        for token in tokens.unwrap_or_default() {
            self.write(token, &" ".repeat(token.text.len()));
        }
    }
}

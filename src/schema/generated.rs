//! The expression of a generated column, and the flags that a CHECK allows: SQLite keeps both only in the text of a table.

use super::objects::{Generated, Table};
use super::tokens::{Kind, Token, Tokens};

impl Table {
    /// What a column is computed from; `None` where it is not.
    pub fn expression_of(&self, column: &str) -> Option<String> {
        let own = self.columns.iter().find(|one| one.name.eq_ignore_ascii_case(column))?;
        if own.generated == Generated::No {
            return None;
        }
        let tokens: Vec<Token<'_>> = Tokens::from(&self.sql, 0).collect();
        let mut at = tokens.iter().position(|token| token.is_sign('('))?;
        while !tokens.get(at + 1)?.name().eq_ignore_ascii_case(column) || !begins(tokens.get(at)?) {
            at += 1;
        }
        let rest = tokens.get(at..)?;
        let open = rest
            .windows(2)
            .find(|pair| matches!(pair, [word, sign] if word.is("AS") && sign.is_sign('(')))?;
        let start = open.last()?.end;
        let mut depth = 1;
        for token in Tokens::from(&self.sql, start) {
            depth += i32::from(token.is_sign('(')) - i32::from(token.is_sign(')'));
            if depth == 0 {
                return self.sql.get(start..token.start).map(str::to_owned);
            }
        }
        None
    }
}

impl Table {
    /// Whether a CHECK says of a column that it is 0 or 1.
    pub fn checks_flag(&self, column: &str) -> bool {
        let tokens: Vec<Token<'_>> = Tokens::from(&self.sql, 0).collect();
        tokens.windows(10).any(|part| {
            let [check, open, name, word, list, low, comma, high, close, end] = part else { return false };
            let signs = [(open, '('), (list, '('), (comma, ','), (close, ')'), (end, ')')];
            check.is("CHECK")
                && word.is("IN")
                && signs.iter().all(|(token, sign)| token.is_sign(*sign))
                && matches!((low.text, high.text), ("0", "1") | ("1", "0"))
                && matches!(name.kind, Kind::Word | Kind::Quoted)
                && name.name().eq_ignore_ascii_case(column)
        })
    }
}

/// Whether a column may be declared behind a token.
fn begins(token: &Token<'_>) -> bool {
    token.is_sign('(') || token.is_sign(',')
}

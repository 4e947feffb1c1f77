//! What a statement that copies says of its rows: into which columns, out of what, and whether it means to leave some out.
//! Read from its tokens; knows no grammar, and no schema.

use super::tokens::{Kind as TokenKind, Token, Tokens};
use std::collections::BTreeSet;

/// A statement that takes rows from a query, as its text says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copied {
    /// The columns that an INSERT names, in lower case; `None` where it names none.
    pub columns: Option<Vec<String>>,
    /// The names in its query, in lower case: tables, columns and aliases.
    pub names: BTreeSet<String>,
    /// It has a WHERE, a JOIN, a GROUP BY, an OR IGNORE: what leaves rows out.
    pub leaves_out: bool,
    /// It has an ON CONFLICT … DO UPDATE.
    pub upserts: bool,
    /// It is a CREATE … AS.
    pub is_as: bool,
}

/// Words that leave rows out of a query, or of a table.
const LEAVING: [&str; 8] = ["where", "join", "distinct", "limit", "group", "except", "intersect", "having"];

/// Reads a statement; `None` where it has no query.
pub fn copied(sql: &str) -> Option<Copied> {
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let depths = depths(&tokens);
    let top = |words: &'static [&str], from: usize| {
        (from..tokens.len()).find(|&at| {
            let is_one = |token: &Token<'_>| words.iter().any(|word| token.is(word));
            depths.get(at) == Some(&0) && tokens.get(at).is_some_and(is_one)
        })
    };
    let into = top(&["into"], 0);
    let query = top(&["select", "values", "with"], into.map_or(0, |into| into + 1))?;
    let head = tokens.get(..query)?;
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.is(word));
    let resolves = |at: usize| is(at, "or") && (is(at + 1, "ignore") || is(at + 1, "replace"));
    let mut copied = Copied {
        is_as: is(0, "create"),
        columns: into.and_then(|into| columns(head, into + 1)),
        leaves_out: is(0, "replace") || (0..query).any(resolves),
        ..Copied::default()
    };
    // What stands before the INTO is a WITH, which the query may read.
    for at in (0..into.unwrap_or(0)).chain(query..tokens.len()) {
        copied.take(&tokens, at);
    }
    Some(copied)
}

impl Copied {
    fn take(&mut self, tokens: &[Token<'_>], at: usize) {
        let Some(token) = tokens.get(at) else { return };
        let is_sign = |at: Option<usize>, sign: char| {
            at.and_then(|at| tokens.get(at)).is_some_and(|token| token.is_sign(sign))
        };
        let is_call = token.kind == TokenKind::Word && is_sign(Some(at + 1), '(');
        if token.kind == TokenKind::Word && !is_sign(at.checked_sub(1), '.') {
            let is_conflict = token.is("conflict");
            self.leaves_out |= is_conflict || LEAVING.iter().any(|word| token.is(word));
            self.upserts |= is_conflict && tokens.iter().skip(at).any(|token| token.is("update"));
        }
        if token.is_name() && !is_call {
            self.names.insert(token.name().to_lowercase());
        }
    }
}

/// How many parentheses are open before each token.
fn depths(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut depth = 0_usize;
    let step = |token: &Token<'_>| {
        let before = depth;
        depth += usize::from(token.is_sign('('));
        depth = depth.saturating_sub(usize::from(token.is_sign(')')));
        before
    };
    tokens.iter().map(step).collect()
}

/// The names in the parentheses behind a table.
fn columns(head: &[Token<'_>], from: usize) -> Option<Vec<String>> {
    let open = (from..head.len()).find(|&at| head.get(at).is_some_and(|token| token.is_sign('(')))?;
    let inside = head.get(open + 1..)?.iter().take_while(|token| !token.is_sign(')'));
    Some(inside.filter(|token| token.is_name()).map(|token| token.name().to_lowercase()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_columns_and_what_is_left_out_are_told_from_what_only_looks_so() {
        let one =
            copied("INSERT INTO setting_values (id, \"a, b\", selected) SELECT id, x, \"limit\" FROM old")
                .unwrap();
        assert_eq!(one.columns.unwrap(), ["id", "a, b", "selected"]);
        assert!(!one.leaves_out && one.names.contains("old"));
        assert!(
            !copied("INSERT INTO n SELECT replace(path, 'a', 'b') FROM t -- where it was")
                .unwrap()
                .leaves_out
        );
        assert!(copied("INSERT OR IGNORE INTO n SELECT * FROM t").unwrap().leaves_out);
        assert!(copied("INSERT INTO n SELECT * FROM t WHERE a > 1").unwrap().leaves_out);
        assert!(copied("CREATE TABLE n AS SELECT * FROM t").unwrap().is_as);
        assert_eq!(copied("CREATE TABLE n -- same as t\n(id INTEGER)"), None);
        assert_eq!(copied("INSERT INTO n SELECT * FROM t").unwrap().columns, None);
        let with = copied("WITH a AS (SELECT 1 FROM t) INSERT INTO n (x) SELECT * FROM a").unwrap();
        assert!(with.columns.unwrap() == ["x"] && with.names.contains("t") && !with.names.contains("n"));
    }
}

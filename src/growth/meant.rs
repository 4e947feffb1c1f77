//! The rows that a statement means to change, as a query for them: where a constraint refuses one of them, nothing else
//! tells how many they would have been.

use super::prospects::Numbered;
use super::tokens::Token;
use std::ops::Range;

/// A text that returns the rows which an INSERT adds, or an UPDATE or a DELETE finds; `None` where it is not plain.
pub(super) fn meant(text: &str, tokens: &[Token<'_>]) -> Option<String> {
    let outer = Outer::of(tokens);
    let verb = outer.find(0..tokens.len(), &["INSERT", "REPLACE", "UPDATE", "DELETE"])?;
    let byte = |at: usize| tokens.get(at).map_or(text.len(), |token| token.start);
    let with = text.get(..byte(verb))?;
    let rest = verb + 1..tokens.len();
    let ends = || outer.find(rest.clone(), &["RETURNING", "ORDER", "LIMIT", ";"]).unwrap_or(tokens.len());
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.is(word));
    let (target, from) = if is(verb, "DELETE") {
        let from = outer.find(rest.clone(), &["WHERE"]).unwrap_or_else(ends);
        (verb + 2..from, None)
    } else if is(verb, "UPDATE") {
        let set = outer.find(rest.clone(), &["SET"])?;
        let from = outer.find(set..tokens.len(), &["FROM", "WHERE"]);
        (if is(verb + 1, "OR") { verb + 3..set } else { verb + 1..set }, Some(from.unwrap_or_else(ends)))
    } else {
        // In front of the rows stands no parameter, so that all have the numbers that they had.
        let rows = outer.find(rest.clone(), &["SELECT", "VALUES", "WITH"])?;
        // A column may have that name, too.
        let is_clause = |at: usize| is(at + 1, "CONFLICT") && (is(at + 2, "DO") || is(at + 2, "("));
        let clause = outer.all.iter().find(|&&at| at > rows && is(at, "ON") && is_clause(at));
        let end = outer.find(rows..tokens.len(), &["RETURNING", ";"]).unwrap_or(tokens.len());
        return Some(format!("{with}{}", text.get(byte(rows)..byte(end.min(*clause.unwrap_or(&end))))?));
    };
    let numbered = Numbered::of(text, tokens);
    let part = |range: Range<usize>| numbered.part(byte(range.start)..byte(range.end));
    let beside = from.filter(|&from| is(from, "FROM"));
    let tail = from.map_or(target.end, |from| beside.map_or(from, |from| from + 1));
    Some(format!(
        "{}{} FROM {}{}{}",
        numbered.part(0..with.len())?,
        numbered.select(),
        part(target)?,
        if beside.is_some() { ", " } else { " " },
        part(tail..ends())?,
    ))
}

/// The places of the tokens that stand in no brackets.
struct Outer<'a, 'b> {
    tokens: &'a [Token<'b>],
    all: Vec<usize>,
}

impl<'a, 'b> Outer<'a, 'b> {
    fn of(tokens: &'a [Token<'b>]) -> Self {
        let mut depth = 0_i32;
        let mut all = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.text {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ if depth == 0 => all.push(at),
                _ => {}
            }
        }
        Self { tokens, all }
    }

    /// The first of these words in a range of tokens.
    fn find(&self, range: Range<usize>, words: &[&str]) -> Option<usize> {
        let is_one =
            |at: usize| self.tokens.get(at).is_some_and(|token| words.iter().any(|word| token.is(word)));
        self.all.iter().copied().find(|at| range.contains(at) && is_one(*at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::tokens::tokens;

    fn rows_of(text: &str) -> String {
        meant(text, &tokens(text)).unwrap_or_default()
    }

    #[test]
    fn an_update_or_a_delete_means_the_rows_that_it_finds() {
        assert_eq!(rows_of("UPDATE t SET a = ? WHERE b = ?"), "SELECT 1, ?1, ?2 FROM t  WHERE b = ?2");
        assert_eq!(rows_of("UPDATE OR FAIL t AS x SET a = 1"), "SELECT 1 FROM t AS x  ");
        let joined = "UPDATE t SET a = u.a FROM u JOIN v ON u.id = v.id WHERE t.id = u.id RETURNING a";
        assert_eq!(rows_of(joined), "SELECT 1 FROM t , u JOIN v ON u.id = v.id WHERE t.id = u.id ");
        assert_eq!(rows_of("DELETE FROM t WHERE b = :b;"), "SELECT 1, :b FROM t  WHERE b = :b");
        assert_eq!(rows_of("DELETE FROM t"), "SELECT 1 FROM t ");
        let with = "WITH x AS (SELECT ? AS b) UPDATE t SET a = ? WHERE b IN (SELECT b FROM x)";
        let rows = "WITH x AS (SELECT ?1 AS b) SELECT 1, ?1, ?2 FROM t  WHERE b IN (SELECT b FROM x)";
        assert_eq!(rows_of(with), rows);
    }

    #[test]
    fn an_insert_means_the_rows_that_it_is_given() {
        let added = "INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT (a) DO UPDATE SET b = ?";
        assert_eq!(rows_of(added), "VALUES (?, ?) ");
        let copied = "REPLACE INTO t SELECT a FROM u JOIN v ON u.id = v.id WHERE u.a = ? RETURNING a";
        assert_eq!(rows_of(copied), "SELECT a FROM u JOIN v ON u.id = v.id WHERE u.a = ? ");
        let named =
            "INSERT INTO t SELECT a FROM u JOIN v ON conflict = v.id WHERE u.a > 3 ON CONFLICT DO NOTHING";
        assert_eq!(rows_of(named), "SELECT a FROM u JOIN v ON conflict = v.id WHERE u.a > 3 ");
        assert_eq!(rows_of("INSERT INTO t DEFAULT VALUES"), "VALUES");
    }
}

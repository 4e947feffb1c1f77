//! Texts of which a program fills in words before SQLite sees them, told by what SQLite stopped at. Knows no schema.

use crate::schema::{
    Refusal, RefusalKind,
    tokens::{Kind, Token, Tokens},
};

/// What stands in front of the name of a table.
const TABLES: [&str; 4] = ["FROM", "INTO", "UPDATE", "JOIN"];

/// Whether SQLite refused a text for what is filled in.
pub(super) fn is_template(sql: &str, refusal: &Refusal) -> bool {
    let near = refusal.message.strip_prefix("near \"").and_then(|rest| rest.split('"').next());
    let name = near.filter(|name| name.starts_with(':') && refusal.kind == RefusalKind::Syntax);
    refusal.message.starts_with("unrecognized token: \"{") || name.is_some_and(|name| is_filled(sql, name))
}

/// Whether a text has braces, which no SQL has: what they enclose is no name of its own.
pub(super) fn has_braces(sql: &str) -> bool {
    sql.contains('{') && Tokens::from(sql, 0).any(|token| token.is_sign('{'))
}

/// Whether a parameter at which SQLite stopped stands for a table, or for an operator: no value can stand there. Anywhere else, what
/// belongs in front of it was forgotten, as in `VALUES (:a :b)` and `SET a :a`.
fn is_filled(sql: &str, name: &str) -> bool {
    let all: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let is_one = |at: usize, is_meant: &dyn Fn(&Token<'_>) -> bool| all.get(at).is_some_and(is_meant);
    let mut places = (1..all.len()).filter(|&at| is_one(at, &|own| own.text == name));
    places.any(|at| {
        let is_operand = |one: &Token<'_>| one.is_sign('(') || one.kind == Kind::Parameter;
        let is_operated = |one: &Token<'_>| matches!(one.kind, Kind::Word | Kind::Quoted) || one.is_sign(')');
        let is_between = is_one(at - 1, &is_operated) && is_one(at + 1, &is_operand);
        is_between || is_one(at - 1, &|one| TABLES.iter().any(|word| one.is(word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_colon_is_filled_in_where_a_table_or_an_operator_stands() {
        for sql in [
            "DELETE FROM :x WHERE a = 1",
            "SELECT a FROM t JOIN :x",
            "SELECT 1 FROM t WHERE lower(a) :x (:y)",
        ] {
            assert!(is_filled(sql, ":x"), "{sql}");
        }
        for sql in [
            "INSERT INTO t VALUES (:a :x)",
            "INSERT INTO t VALUES (1 :x, 2)",
            "UPDATE t SET a :x WHERE b = :b",
            "SELECT a FROM t WHERE b :x",
            "SELECT a FROM t LIMIT 5 :x",
        ] {
            assert!(!is_filled(sql, ":x"), "{sql}");
        }
    }
}

//! The names that a statement gives to queries within it, by its tokens, whether the rest of it is SQL or not.

use super::tokens::{tokens, unquoted};

/// The names of its common table expressions, in lower case: `WITH ranked (id) AS (…)`.
pub fn common_tables(sql: &str) -> Vec<String> {
    let tokens: Vec<&str> = tokens(sql).map(|token| token.text).collect();
    let is_one = |at: usize, words: &[&str]| {
        tokens.get(at).is_some_and(|token| words.iter().any(|word| token.eq_ignore_ascii_case(word)))
    };
    let Some(first) = (0..tokens.len()).find(|&at| is_one(at, &["with"])) else { return Vec::new() };
    let is_given = |name: &usize| {
        let columns = name + 1;
        let closed = || (columns..tokens.len()).find(|&at| is_one(at, &[")"]));
        let behind = if is_one(columns, &["("]) { closed().map(|close| close + 1) } else { Some(columns) };
        is_one(name - 1, &["with", "recursive", ","])
            && behind.is_some_and(|at| is_one(at, &["as"]) && is_one(at + 1, &["(", "not", "materialized"]))
    };
    let given = (first + 1..tokens.len()).filter(is_given).filter_map(|name| tokens.get(name));
    given.map(|name| unquoted(name).to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::common_tables;

    #[test]
    fn what_a_statement_names_itself_is_told_though_it_is_no_sql() {
        assert_eq!(
            common_tables("WITH a AS (SELECT 1, b FROM c), \"D\"(x, y) AS MATERIALIZED (VALUES ) SELECT 1"),
            ["a", "d"]
        );
        assert!(common_tables("SELECT 1 AS a, b AS (c)").is_empty());
    }
}

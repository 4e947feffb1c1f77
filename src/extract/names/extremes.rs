//! Of which columns a statement wants the largest value, by its tokens: `max(a)` of a column alone.

use super::tokens::{Kind, tokens, unquoted};

/// The columns, without quotes, that `max()` is called with, and with nothing else.
pub fn maxima(sql: &str) -> Vec<String> {
    let all: Vec<_> = tokens(sql).collect();
    let is_name =
        |at: usize| all.get(at).is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Quoted));
    let is = |at: usize, symbol: &str| all.get(at).is_some_and(|token| token.is_symbol(symbol));
    let argument = |at: usize| {
        let name = if is(at + 3, ".") { at + 4 } else { at + 2 };
        (is(at + 1, "(") && is_name(at + 2) && is_name(name) && is(name + 1, ")")).then_some(name)
    };
    let calls = (0..all.len()).filter(|&at| all.get(at).is_some_and(|token| token.is_word("max")));
    calls.filter_map(argument).filter_map(|at| Some(unquoted(all.get(at)?.text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_column_alone_counts() {
        assert_eq!(maxima("SELECT MAX(version) FROM t"), ["version"]);
        assert_eq!(maxima("SELECT max ( t.\"Version\" ) FROM t"), ["Version"]);
        assert!(
            maxima("SELECT max(CAST(version AS INTEGER)), max(a, b), max(a + 0), 'max(a)' FROM t").is_empty()
        );
    }
}

//! Holes among the columns that a query returns, and those behind an AS. Knows no schema.

use super::around::{first_word, last_word};
use crate::extract::{sql::skip_leading_comment, text::opening};

/// The words that may stand behind what a table is called.
const BEHIND_TABLE: [&str; 12] =
    ["on", "using", "where", "join", "left", "inner", "cross", "natural", "group", "order", "limit", "set"];

/// Whether a hole behind an AS is what a column of a result or a table is called.
pub(super) fn is_alias(lead: &str, after: &str) -> bool {
    let behind = uncommented(after);
    let next = first_word(behind).to_ascii_lowercase();
    let is_named = || {
        if in_result(lead) {
            return next == "from" || behind.starts_with(',');
        }
        BEHIND_TABLE.contains(&next.as_str())
    };
    last_word(lead).eq_ignore_ascii_case("as") && is_named()
}

/// Whether a hole among result columns is one value: an argument of a function, or what an operator or a name stands behind.
pub(super) fn is_one_value(lead: &str, after: &str) -> bool {
    let begins = |text: &str| {
        let word = first_word(text.trim_start()).to_ascii_lowercase();
        ["select", "with", "values"].contains(&word.as_str())
    };
    let is_argument = || {
        let inner = opening(lead).and_then(|at| lead.get(at + 1..));
        inner.is_some_and(|inner| !inner.is_empty() && !begins(inner))
    };
    let word = last_word(lead).to_ascii_lowercase();
    let is_first = matches!(word.as_str(), "select" | "distinct" | "returning");
    let behind = uncommented(after);
    let is_named = first_word(behind).eq_ignore_ascii_case("as");
    let is_operand = behind.starts_with(['+', '-', '/', '|', '%', '<', '>', '=', '!']);
    let is_next = lead.ends_with(',') && in_result(lead);
    (is_next && is_argument()) || ((is_first || is_next) && (is_named || is_operand))
}

/// A text from its first word or sign on.
fn uncommented(text: &str) -> &str {
    let mut text = text.trim_start();
    while text.starts_with("--") || text.starts_with("/*") {
        text = skip_leading_comment(text).trim_start();
    }
    text
}

/// Whether the text ends among result columns: behind the last SELECT, with no FROM since.
pub(super) fn in_result(lead: &str) -> bool {
    let lower = lead.to_ascii_lowercase();
    let last = |word: &str| lower.rfind(word);
    last("select").is_some_and(|select| {
        last("from").is_none_or(|from| from < select) && last("values").is_none_or(|at| at < select)
    })
}

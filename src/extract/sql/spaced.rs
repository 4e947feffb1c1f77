//! A statement on one line, spaced in one way: what people can read and what stays the same when a statement is moved or
//! formatted anew.

use super::{Token, is_word, normal, tokens};

/// Operators of two signs and more, which are written together.
const OPERATORS: [&str; 10] = ["->>", "<=", ">=", "<>", "!=", "==", "||", "->", "<<", ">>"];

/// The words in front of a parenthesis that are not called.
const KEYWORDS: [&str; 30] = [
    "all",
    "and",
    "as",
    "between",
    "by",
    "case",
    "check",
    "distinct",
    "else",
    "except",
    "exists",
    "from",
    "having",
    "in",
    "intersect",
    "is",
    "join",
    "like",
    "limit",
    "not",
    "offset",
    "on",
    "or",
    "select",
    "then",
    "union",
    "using",
    "values",
    "when",
    "where",
];

/// The text without comments and names of parameters, holes as parameters, words in lower case, its tokens spaced in one
/// way, on one line. Two texts of one [`key`](super::key) have one form.
pub fn spaced(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut last = String::new();
    for Token { text, gap, .. } in tokens(sql) {
        let token = escaped(&normal(text));
        let joined = format!("{last}{token}");
        if !gap && OPERATORS.contains(&joined.as_str()) {
            out.push_str(&token);
            last = joined;
            continue;
        }
        // `x'00'` is one value.
        let is_blob = !gap && last == "x" && token.starts_with('\'');
        if !(out.is_empty() || is_blob || last == "(" || last == "." || is_close(&last, &token)) {
            out.push(' ');
        }
        out.push_str(&token);
        last = token;
    }
    out.trim_end_matches([';', ' ']).to_owned()
}

/// A token on one line.
fn escaped(token: &str) -> String {
    let one = |one: char| if one.is_control() { one.escape_default().collect() } else { vec![one] };
    token.chars().flat_map(one).collect()
}

/// Whether a token follows the last one without a space.
fn is_close(last: &str, token: &str) -> bool {
    match token {
        "," | ")" | ";" | "." => true,
        "(" => last.ends_with(is_word) && !KEYWORDS.contains(&last),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::key, *};

    #[test]
    fn a_statement_is_written_in_one_way() {
        let cases = [
            (
                "SELECT a , b\n FROM t -- all\n WHERE x=:h AND y IN(?1,?2);",
                "select a, b from t where x = ? and y in (?, ?)",
            ),
            (
                "SELECT count( * ),t.a FROM t WHERE (a<=1)OR b->>'x' IS NULL",
                "select count(*), t.a from t where (a <= 1) or b ->> 'x' is null",
            ),
            ("SELECT a FROM t WHERE b=?1order by a", "select a from t where b = ? order by a"),
            ("INSERT INTO \"T\"(a) VALUES('it  s')", "insert into \"T\" (a) values ('it  s')"),
            ("SELECT '\n', X'00'", "select '\\n', x'00'"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(spaced(text), expected);
            assert_eq!(
                spaced(&text.to_lowercase().replace(" from", "\n\tfrom")).to_lowercase(),
                expected.to_lowercase()
            );
            assert_eq!(key(&spaced(text)), key(&text.replace("'\n'", "'\\n'")));
        }
    }
}

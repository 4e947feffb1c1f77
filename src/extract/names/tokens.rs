//! The tokens of SQLite's SQL, with their places. Knows no grammar.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword or a bare identifier.
    Word,
    /// An identifier in `"…"`, `` `…` `` or `[…]`.
    Quoted,
    /// A string or a blob.
    String,
    Number,
    /// `?`, `?1`, `:a`, `@a` or `$a`.
    Parameter,
    /// One character of anything else.
    Symbol,
}

/// A token. White space and comments are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    /// As it stands, with its quotes.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
}

impl Token<'_> {
    /// The byte after the last.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    pub fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(word))
    }

    pub fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }
}

/// The first identifier of this name, bare or quoted, outside of strings, comments and parameters: its byte
/// range, with its quotes. The text need not be valid SQL.
pub fn find_word(sql: &str, word: &str) -> Option<(usize, usize)> {
    let is_named = |token: &Token<'_>| match token.kind {
        Kind::Word => token.text.eq_ignore_ascii_case(word),
        Kind::Quoted => unquoted(token.text).eq_ignore_ascii_case(word),
        _ => false,
    };
    tokens(sql).find(is_named).map(|token| (token.start, token.end()))
}

/// The name that an identifier spells.
pub(super) fn unquoted(identifier: &str) -> String {
    let Some(open) = identifier.chars().next().filter(|first| matches!(first, '"' | '`' | '[')) else {
        return identifier.to_owned();
    };
    let close = if open == '[' { ']' } else { open };
    let inner = identifier.strip_prefix(open).unwrap_or(identifier);
    let inner = inner.strip_suffix(close).unwrap_or(inner);
    match open {
        '"' => inner.replace("\"\"", "\""),
        '`' => inner.replace("``", "`"),
        _ => inner.to_owned(),
    }
}

/// The tokens of a text, whatever it is: what is not closed ends with the text.
pub(super) fn tokens(sql: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += blank(sql.get(at..)?);
        let rest = sql.get(at..)?;
        let (kind, length) = token(rest)?;
        let token = Token { kind, text: rest.get(..length)?, start: at };
        at += length;
        Some(token)
    })
}

/// How many bytes of white space and comments a text begins with.
fn blank(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let length = match rest.as_bytes() {
            [b'-', b'-', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => {
                let end = rest.get(2..).and_then(|body| body.find("*/"));
                end.map_or(rest.len(), |at| at + 4)
            }
            _ => return text.len() - rest.len(),
        };
        rest = rest.get(length..).unwrap_or("");
    }
}

/// The kind and the length in bytes of the token that a text begins with.
fn token(text: &str) -> Option<(Kind, usize)> {
    let mut characters = text.chars();
    let first = characters.next()?;
    let after = characters.as_str();
    Some(match first {
        '\'' => (Kind::String, quoted(text, '\'')),
        'x' | 'X' if after.starts_with('\'') => (Kind::String, 1 + quoted(after, '\'')),
        '"' | '`' => (Kind::Quoted, quoted(text, first)),
        '[' => (Kind::Quoted, text.find(']').map_or(text.len(), |at| at + 1)),
        '?' => (Kind::Parameter, 1 + run(after, |next| next.is_ascii_digit())),
        ':' | '@' | '$' if after.starts_with(is_part) => (Kind::Parameter, 1 + run(after, is_part)),
        '0'..='9' => (Kind::Number, run(text, |next| is_part(next) || next == '.')),
        _ if is_part(first) && first != '$' => (Kind::Word, run(text, is_part)),
        _ => (Kind::Symbol, first.len_utf8()),
    })
}

/// The length of a quoted text, in which a doubled quote stands for one.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_closed = false;
    for (at, next) in text.char_indices().skip(1) {
        if next == quote {
            is_closed = !is_closed;
        } else if is_closed {
            return at;
        }
    }
    text.len()
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|next| !belongs(next)).unwrap_or(text.len())
}

fn is_part(next: char) -> bool {
    next.is_ascii_alphanumeric() || next == '_' || next == '$' || !next.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sql: &str) -> Vec<&str> {
        tokens(sql).map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_white_space_are_no_tokens() {
        assert_eq!(texts("a -- b\n/* c */ d/*e*/ f --"), ["a", "d", "f"]);
        assert_eq!(texts("/* a"), Vec::<&str>::new());
        assert_eq!(texts("a-b/c"), ["a", "-", "b", "/", "c"]);
    }

    #[test]
    fn quotes_are_doubled_within_and_may_stay_open() {
        let quoted = ["'it''s'", "\"a\"\"b\"", "[c d]", "`e```", "x'00'"];
        assert_eq!(texts(&quoted.join(" ")), quoted);
        assert_eq!(texts("a 'b c"), ["a", "'b c"]);
        assert_eq!(texts("''"), ["''"]);
        assert_eq!(unquoted("\"a\"\"b\""), "a\"b");
        assert_eq!(unquoted("[a]"), "a");
        assert_eq!(unquoted("`a"), "a");
    }

    #[test]
    fn parameters_and_numbers_are_no_words() {
        let parameters = "? ?12 :a @b $c";
        assert_eq!(texts(parameters).join(" "), parameters);
        assert!(tokens(parameters).all(|token| token.kind == Kind::Parameter));
        assert_eq!(texts("1e5 0x1F 1.5"), ["1e5", "0x1F", "1.5"]);
        assert!(tokens("1e5 0x1F 1.5").all(|token| token.kind == Kind::Number));
    }

    #[test]
    fn a_word_is_found_bare_or_quoted_but_not_in_text() {
        let find =
            |sql: &'static str, word| find_word(sql, word).and_then(|(start, end)| sql.get(start..end));
        assert_eq!(find_word("SELECT 'a', :a, /* a */ A FROM t", "a"), Some((24, 25)));
        assert_eq!(find("é.\"Two Words\"", "two words"), Some("\"Two Words\""));
        assert_eq!(find("INSERT INTO [t] --t\n", "T"), Some("[t]"));
        assert_eq!(find("SELECT ab -- a", "a"), None);
    }
}

//! The words of a text of SQL, for what the parser does not tell: where the parameters stand, and which literals a
//! CHECK allows. Coarse, and enough: SQLite has accepted the text before.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, a name in quotes, or one in brackets.
    Word,
    /// A string.
    String,
    /// A number.
    Number,
    /// A blob, as `x'00'`.
    Blob,
    /// A parameter.
    Parameter,
    /// Anything else: one sign, or two that belong together.
    Sign,
}

/// A token, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub start: usize,
}

impl Token<'_> {
    /// Whether it is this word or sign.
    pub fn is(&self, text: &str) -> bool {
        !matches!(self.kind, Kind::String | Kind::Blob) && self.text.eq_ignore_ascii_case(text)
    }

    /// A name without its quotes, or what a string says.
    pub fn plain(&self) -> String {
        let mut letters = self.text.chars();
        let close = match letters.next() {
            Some('[') => ']',
            Some(quote @ ('"' | '`' | '\'')) => quote,
            _ => return self.text.to_owned(),
        };
        let inner = letters.as_str();
        let inner = inner.strip_suffix(close).unwrap_or(inner);
        inner.replace(&format!("{close}{close}"), &close.to_string())
    }
}

/// The tokens of a text; white space and comments are left out.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (kind, length) = next(rest);
        if let Some(kind) = kind {
            found.push(Token { kind, text: rest.get(..length).unwrap_or(rest), start: at });
        }
        at += length.max(1);
    }
    found
}

fn next(rest: &str) -> (Option<Kind>, usize) {
    let mut letters = rest.chars();
    let (first, second) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    let part = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
    let run = |from: usize| {
        let tail = rest.get(from..).unwrap_or("");
        from + tail.find(|character| !part(character)).unwrap_or(tail.len())
    };
    match first {
        _ if first.is_whitespace() => (None, first.len_utf8()),
        '-' if second == '-' => (None, rest.find('\n').unwrap_or(rest.len())),
        '/' if second == '*' => (None, rest.find("*/").map_or(rest.len(), |at| at + 2)),
        '\'' => (Some(Kind::String), quoted(rest, '\'')),
        '"' | '`' => (Some(Kind::Word), quoted(rest, first)),
        '[' => (Some(Kind::Word), rest.find(']').map_or(rest.len(), |at| at + 1)),
        'x' | 'X' if second == '\'' => (Some(Kind::Blob), 1 + quoted(rest.get(1..).unwrap_or(""), '\'')),
        '?' => (Some(Kind::Parameter), run(1)),
        ':' | '@' | '$' | '#' if part(second) => (Some(Kind::Parameter), run(1)),
        '0'..='9' => (Some(Kind::Number), number(rest)),
        '.' if second.is_ascii_digit() => (Some(Kind::Number), number(rest)),
        _ if part(first) => (Some(Kind::Word), run(first.len_utf8())),
        _ => {
            let pairs = ["==", "!=", "<>", "<=", ">=", "||", "->", "<<", ">>"];
            let two = pairs.iter().any(|pair| rest.starts_with(pair));
            (Some(Kind::Sign), if two { 2 } else { first.len_utf8() })
        }
    }
}

fn number(rest: &str) -> usize {
    rest.find(|character: char| !(character.is_ascii_alphanumeric() || character == '.'))
        .unwrap_or(rest.len())
}

/// The length of what stands in quotes, with them; a quote twice is one inside.
fn quoted(rest: &str, quote: char) -> usize {
    let mut letters = rest.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter == quote && letters.next_if(|(_, next)| *next == quote).is_none() {
            return at + 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart() {
        let text = "SELECT \"a b\", x'00' /* ? */ FROM t WHERE b >= ?1 AND c = 'it''s' -- ?\n AND d=:d+1.5";
        let found: Vec<(Kind, &str)> = tokens(text).into_iter().map(|one| (one.kind, one.text)).collect();
        let words = ["SELECT", "\"a b\"", "FROM", "t", "WHERE", "b", "AND", "c", "AND", "d"];
        let of =
            |kind| found.iter().filter(|(one, _)| *one == kind).map(|(_, text)| *text).collect::<Vec<_>>();
        assert_eq!(of(Kind::Word), words);
        assert_eq!(of(Kind::Parameter), ["?1", ":d"]);
        assert_eq!(of(Kind::String), ["'it''s'"]);
        assert_eq!(of(Kind::Number), ["1.5"]);
        assert_eq!(of(Kind::Sign), [",", ">=", "=", "=", "+"]);
        assert_eq!(of(Kind::Blob), ["x'00'"]);
    }

    #[test]
    fn quotes_are_taken_off() {
        assert_eq!(tokens("'it''s'").first().map(Token::plain), Some("it's".to_owned()));
        assert_eq!(tokens("[a b]").first().map(Token::plain), Some("a b".to_owned()));
    }
}

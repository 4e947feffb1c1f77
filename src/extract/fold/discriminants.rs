//! The numbers of the variants of an `enum` of Rust: as written, else one more than the one before. Knows the tokens of one
//! file, so that they can be read before these are let go.

use crate::extract::code::Code;
use memchr::memmem;

/// What announces them.
const ENUM: &str = "enum ";

/// How many tokens stand between the name of a type and its brace.
const LONGEST_HEADER: usize = 24;

/// A variant whose number is known.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The names of its type and its own: `State::Sent`.
    pub name: Box<str>,
    /// The number.
    pub value: i64,
    /// Where it stands in its file.
    pub offset: u32,
}

/// The variants of a file whose numbers are known.
pub fn variants(code: Code<'_>, text: &str) -> Vec<Variant> {
    let mut found = Vec::new();
    if !code.language().block_values {
        return found;
    }
    for at in memmem::find_iter(text.as_bytes(), ENUM) {
        let token = code.tokens().partition_point(|token| (token.start as usize) < at);
        let is_there = code.tokens().get(token).is_some_and(|one| one.start as usize == at);
        if is_there && code.word(token) == "enum" && code.is_word(token) {
            add_variants(code, token + 1, &mut found);
        }
    }
    found
}

/// Adds the variants of the type whose name stands at a token. One that holds values is cast to nothing.
fn add_variants(code: Code<'_>, name: usize, found: &mut Vec<Variant>) {
    let Some(open) = (name + 1..name + LONGEST_HEADER).find(|&at| code.is(at, b'{')) else { return };
    let mut next = Some(0_i64);
    for (start, end) in code.arguments(open).0 {
        let mut variant = start;
        while code.is(variant, b'#') {
            variant = code.matching(variant + 1) + 1;
        }
        let value = match end.saturating_sub(variant) {
            1 => next,
            3 if code.is(variant + 1, b'=') => integer(code.word(variant + 2)),
            4 if code.is(variant + 1, b'=') && code.is(variant + 2, b'-') => {
                integer(code.word(variant + 3)).and_then(i64::checked_neg)
            }
            _ => None,
        };
        next = value.and_then(|value| value.checked_add(1));
        if let Some((value, token)) = value.zip(code.tokens().get(variant)) {
            let name = format!("{}::{}", code.word(name), code.word(variant)).into();
            found.push(Variant { name, value, offset: token.start });
        }
    }
}

/// The value of a number as Rust writes it: `1_000`, `0x10`, `2u8`.
fn integer(word: &str) -> Option<i64> {
    let digits = word.replace('_', "");
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, digits.get(2..)?),
        Some("0o") => (8, digits.get(2..)?),
        Some("0b") => (2, digits.get(2..)?),
        _ => (10, digits.as_str()),
    };
    let end = digits.find(['u', 'i']).unwrap_or(digits.len());
    i64::from_str_radix(digits.get(..end)?, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn numbers_are_read_as_rust_writes_them() {
        assert_eq!(integer("1_000"), Some(1000));
        assert_eq!(integer("0x1f_u8"), Some(31));
        assert_eq!(integer("2i64"), Some(2));
        assert_eq!(integer("OTHER"), None);
    }
}

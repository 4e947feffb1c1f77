//! The numbers of the variants of an `enum` of Rust: as written, else one more than the one before. An `impl` of [`Folder`], apart for
//! its length.

use super::{Folder, Spot};
use crate::extract::{lexer::Kind, sketch::NOWHERE};
use memchr::memmem;

/// What announces them.
const ENUM: &str = "enum ";

/// How many tokens stand between the name of a type and its brace.
const LONGEST_HEADER: usize = 24;

/// The number of a variant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discriminant {
    /// The file.
    pub(super) unit: u32,
    /// The number.
    pub(super) value: i64,
    /// Where the variant stands there.
    pub(super) offset: u32,
}

impl Folder<'_> {
    /// The variants of a file whose numbers are known, by the names of their types and their own.
    pub(super) fn discriminants(&self, unit: u32) -> Vec<(String, Discriminant)> {
        let spot = Spot::at(unit as usize, NOWHERE);
        let is_rust = self.language(spot).is_some_and(|language| language.block_values);
        let Some(file) = self.units.get(unit as usize).filter(|_| is_rust) else { return Vec::new() };
        let mut found = Vec::new();
        for at in memmem::find_iter(file.text(self.sources).as_bytes(), ENUM) {
            let token = file.tokens.partition_point(|token| (token.start as usize) < at);
            let is_word = file.tokens.get(token).is_some_and(|one| one.start as usize == at);
            if is_word && self.word(spot, token) == "enum" && self.kind(spot, token) == Some(Kind::Word) {
                self.add_variants(spot, token + 1, &mut found);
            }
        }
        found
    }

    /// Adds the variants of the type whose name stands at a token. One that holds values is cast to nothing.
    fn add_variants(&self, spot: Spot, name: usize, found: &mut Vec<(String, Discriminant)>) {
        let open = (name + 1..name + LONGEST_HEADER).find(|&at| self.is(spot, at, b'{'));
        let Some(open) = open else { return };
        let mut next = Some(0_i64);
        for (start, end) in self.arguments(spot, open).0 {
            let mut variant = start;
            while self.is(spot, variant, b'#') {
                variant = self.matching(spot, variant + 1) + 1;
            }
            let value = match end.saturating_sub(variant) {
                1 => next,
                3 if self.is(spot, variant + 1, b'=') => integer(self.word(spot, variant + 2)),
                4 if self.is(spot, variant + 1, b'=') && self.is(spot, variant + 2, b'-') => {
                    integer(self.word(spot, variant + 3)).and_then(i64::checked_neg)
                }
                _ => None,
            };
            next = value.and_then(|value| value.checked_add(1));
            let token = self.tokens(spot).get(variant);
            if let Some((value, token)) = value.zip(token) {
                let name = format!("{}::{}", self.word(spot, name), self.word(spot, variant));
                let one = Discriminant { unit: spot.unit as u32, value, offset: token.start };
                found.push((name, one));
            }
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

//! Which of some names stand in a text as whole words. Knows no language.

use memchr::memmem;
use std::collections::{HashMap, HashSet};

/// A byte that stands in no text, and how far it is looked for.
const BINARY: (u8, usize) = (0, 8000);

/// The names, for a search.
pub(super) struct Words<'a> {
    plain: HashMap<&'a [u8], usize>,
    /// The length of the shortest of these.
    shortest: usize,
    /// Names with bytes that are no part of a word.
    odd: Vec<(&'a [u8], usize)>,
}

impl<'a> Words<'a> {
    /// A search for these.
    pub fn new(words: &'a [String]) -> Self {
        let all = words.iter().enumerate().map(|(index, word)| (word.as_bytes(), index));
        let (plain, odd): (Vec<_>, Vec<_>) = all.partition(|(word, _)| word.iter().all(is_word));
        let shortest = plain.iter().map(|(word, _)| word.len()).min().unwrap_or(usize::MAX);
        Self { plain: plain.into_iter().collect(), shortest: shortest.max(1), odd }
    }

    /// Those that stand in a text, by their places.
    pub fn within(&self, text: &[u8]) -> Vec<usize> {
        let head = text.get(..text.len().min(BINARY.1)).unwrap_or_default();
        if memchr::memchr(BINARY.0, head).is_some() {
            return Vec::new();
        }
        let mut found: HashSet<usize> = HashSet::new();
        let mut at = 0_usize;
        // No word that is long enough stands around a byte that is part of none.
        while let Some(byte) = at.checked_add(self.shortest - 1).and_then(|probe| text.get(probe)) {
            let ahead = text.get(at..).unwrap_or_default();
            if !is_word(byte) {
                at += self.shortest;
                continue;
            }
            let before = ahead.get(..self.shortest - 1).unwrap_or_default();
            let start = before.iter().rposition(|byte| !is_word(byte)).map_or(0, |last| last + 1);
            let word = ahead.get(start..).unwrap_or_default();
            let length = word.iter().position(|byte| !is_word(byte)).unwrap_or(word.len());
            found.extend(word.get(..length).and_then(|word| self.plain.get(word)));
            at += start + length + 1;
        }
        let is_whole = |word: &[u8], at: usize| {
            let before = at.checked_sub(1).and_then(|before| text.get(before));
            !before.is_some_and(is_word) && !text.get(at + word.len()).is_some_and(is_word)
        };
        for (word, index) in &self.odd {
            if memmem::find_iter(text, word).any(|at| is_whole(word, at)) {
                found.insert(*index);
            }
        }
        found.into_iter().collect()
    }
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_whole_words() {
        let words = ["MIGRATIONS".to_owned(), "SCHEMA_SQL".to_owned(), "a.SCHEMAS".to_owned()];
        let found = |text: &str| {
            let mut found = Words::new(&words).within(text.as_bytes());
            found.sort_unstable();
            found
        };
        assert_eq!(found("MIGRATIONS"), [0]);
        assert_eq!(found("x MIGRATIONS_2 OLD_MIGRATIONS MIGRATIONS2"), [0; 0]);
        assert_eq!(found("let all = [SCHEMA_SQL,MIGRATIONS];"), [0, 1]);
        assert_eq!(found("x(a.SCHEMAS)"), [2]);
        assert_eq!(found("x(aa.SCHEMAS)"), [0; 0]);
        assert_eq!(found("\0MIGRATIONS"), [0; 0]);
        for length in 0..40 {
            let text = format!("{} {} MIGRATIONS.", "x".repeat(length), "y".repeat(40 - length));
            assert_eq!(found(&text), [0], "{text}");
        }
    }
}

//! Which of some names stand in a text as whole words. Knows no language.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// A byte that stands in no text, and how far it is looked for.
const BINARY: (u8, usize) = (0, 8000);

/// The names, for a search.
pub(super) struct Words<'a> {
    by_text: HashMap<&'a [u8], usize>,
    /// The length of the shortest name.
    shortest: usize,
    /// Names with bytes that are no part of a word.
    odd: Vec<(&'a [u8], usize)>,
    /// For each byte how many bytes behind it at least the beginning of a name ends that holds it.
    steps: [usize; 256],
}

impl<'a> Words<'a> {
    /// A search for these.
    pub fn new(words: &'a [String]) -> Self {
        let all = || words.iter().enumerate().map(|(index, word)| (word.as_bytes(), index));
        let shortest = all().map(|(word, _)| word.len()).min().unwrap_or(0).max(1);
        let mut steps = [shortest; 256];
        for (word, _) in all() {
            for (before, byte) in (0..shortest).rev().zip(word) {
                if let Some(step) = steps.get_mut(usize::from(*byte)) {
                    *step = before.min(*step);
                }
            }
        }
        let (plain, odd): (Vec<_>, Vec<_>) = all().partition(|(word, _)| word.iter().copied().all(is_word));
        Self { by_text: plain.into_iter().collect(), shortest, odd, steps }
    }

    /// Those that stand in a text, by their places.
    pub fn within(&self, text: &[u8]) -> Vec<usize> {
        let head = text.get(..text.len().min(BINARY.1)).unwrap_or_default();
        let mut found: HashSet<usize> = HashSet::default();
        if memchr::memchr(BINARY.0, head).is_some() {
            return Vec::new();
        }
        // At the byte on which the beginning of a name ends, if one stands here; most bytes stand in none.
        let mut end = self.shortest - 1;
        while let Some(byte) = text.get(end) {
            let step = self.steps.get(usize::from(*byte)).copied().unwrap_or(1);
            if step == 0 {
                found.extend(self.at(text, end + 1 - self.shortest));
            }
            end += step.max(1);
        }
        found.into_iter().collect()
    }

    /// The name that begins at a byte.
    fn at(&self, text: &[u8], start: usize) -> Option<usize> {
        let (before, behind) = text.split_at_checked(start)?;
        if before.last().copied().is_some_and(is_word) {
            return None;
        }
        let length = behind.iter().position(|byte| !is_word(*byte)).unwrap_or(behind.len());
        if let Some(index) = behind.get(..length).and_then(|word| self.by_text.get(word)) {
            return Some(*index);
        }
        let is_here =
            |word: &[u8]| behind.starts_with(word) && !behind.get(word.len()).copied().is_some_and(is_word);
        self.odd.iter().find(|(word, _)| is_here(word)).map(|(_, index)| *index)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
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

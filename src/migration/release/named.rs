//! The files of a release in which names stand as whole words. What was searched once is not searched again at another release,
//! for whatever database. Knows no language.

use crate::{
    extract,
    source::{
        GitError,
        history::{Content, History},
    },
};
use memchr::memmem;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The most contents that are in memory at once.
const AT_ONCE: usize = 256;

/// A byte without which a text is none, and how far it is looked for.
const BINARY: (u8, usize) = (0, 8000);

/// What stands in which contents.
pub(super) struct Named {
    /// All names that are ever looked for.
    words: Vec<String>,
    /// Those that stand in a content, by their places.
    found: HashMap<Content, Vec<usize>>,
}

impl Named {
    /// Nothing was searched yet for any of these names.
    pub fn new(names: &[Vec<String>]) -> Self {
        let words: BTreeSet<&String> = names.iter().flatten().collect();
        Self { words: words.into_iter().cloned().collect(), found: HashMap::new() }
    }

    /// The files among these, tests aside, in which one of these names stands.
    pub fn files(
        &mut self,
        history: &dyn History,
        listed: &[(String, Content)],
        names: &[String],
    ) -> Result<Vec<String>, GitError> {
        let read = |(path, _): &&(String, Content)| extract::is_wanted(path) && !extract::is_test_code(path);
        let listed: Vec<&(String, Content)> = listed.iter().filter(read).collect();
        let fresh = listed.iter().map(|(_, content)| content);
        let fresh: BTreeSet<&Content> = fresh.filter(|content| !self.found.contains_key(*content)).collect();
        let fresh: Vec<Content> = fresh.into_iter().cloned().collect();
        for contents in fresh.chunks(AT_ONCE) {
            let read = history.read(contents)?;
            let words = Words::new(&self.words);
            let found: Vec<Vec<usize>> = read.par_iter().map(|text| words.within(text.as_deref())).collect();
            self.found.extend(contents.iter().cloned().zip(found));
        }
        let is_asked = |word: &usize| self.words.get(*word).is_some_and(|word| names.contains(word));
        let holds = |content: &Content| self.found.get(content).is_some_and(|found| found.iter().any(is_asked));
        Ok(listed.into_iter().filter(|(_, content)| holds(content)).map(|(path, _)| path.clone()).collect())
    }
}

/// The names, for a search.
struct Words<'a> {
    plain: HashMap<&'a [u8], usize>,
    /// The length of the shortest of these.
    shortest: usize,
    /// Names with bytes that are no part of a word.
    odd: Vec<(&'a [u8], usize)>,
}

impl<'a> Words<'a> {
    fn new(words: &'a [String]) -> Self {
        let all = words.iter().enumerate().map(|(index, word)| (word.as_bytes(), index));
        let (plain, odd): (Vec<_>, Vec<_>) = all.partition(|(word, _)| word.iter().all(is_word));
        let shortest = plain.iter().map(|(word, _)| word.len()).min().unwrap_or(usize::MAX);
        Self { plain: plain.into_iter().collect(), shortest: shortest.max(1), odd }
    }

    /// Those that stand in a text.
    fn within(&self, text: Option<&[u8]>) -> Vec<usize> {
        let text = text.unwrap_or_default();
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
            let mut found = Words::new(&words).within(Some(text.as_bytes()));
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

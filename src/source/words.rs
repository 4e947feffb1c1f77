//! Words that are looked for in the texts of a whole tree. To make ready for a word takes longer than to look through a small
//! file, so that it is done once.

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem::Finder;
use std::sync::OnceLock;

/// From how many words on to look for all at once is faster than for one after the other.
const MANY: usize = 6;

/// Words to look for, as they stand.
pub struct Words<'w> {
    wanted: &'w [&'w str],
    finders: OnceLock<Vec<Finder<'w>>>,
    /// Of many words; `None` where they are too many for it.
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl<'w> Words<'w> {
    /// These words.
    pub const fn new(words: &'w [&'w str]) -> Self {
        Self { wanted: words, finders: OnceLock::new(), automaton: OnceLock::new() }
    }

    /// Whether a text has one of them.
    pub fn is_in(&self, text: &str) -> bool {
        match self.automaton() {
            Some(automaton) => automaton.is_match(text),
            None => self.finders().iter().any(|finder| finder.find(text.as_bytes()).is_some()),
        }
    }

    /// Where words stand in a text, in order; of those that share a part the first.
    pub fn places<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        let many = self.automaton().map(|automaton| automaton.find_iter(text).map(|found| found.start()));
        let few = many.is_none().then(|| {
            let mut places: Vec<usize> = self.all(text).map(|(_, at)| at).collect();
            places.sort_unstable();
            places
        });
        many.into_iter().flatten().chain(few.into_iter().flatten())
    }

    /// Where the first of them stands in a text.
    pub fn first(&self, text: &str) -> Option<usize> {
        self.finders().iter().filter_map(|finder| finder.find(text.as_bytes())).min()
    }

    /// Each of them with the places where it stands in a text, word by word.
    pub fn all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'w str, usize)> + 'a {
        let of = move |(word, finder): (&'a &'w str, &'a Finder<'w>)| {
            finder.find_iter(text.as_bytes()).map(move |at| (*word, at))
        };
        self.wanted.iter().zip(self.finders()).flat_map(of)
    }

    fn automaton(&self) -> Option<&AhoCorasick> {
        let make = || {
            let mut builder = AhoCorasick::builder();
            builder.match_kind(MatchKind::LeftmostFirst);
            (self.wanted.len() >= MANY).then(|| builder.build(self.wanted).ok()).flatten()
        };
        self.automaton.get_or_init(make).as_ref()
    }

    fn finders(&self) -> &[Finder<'w>] {
        self.finders.get_or_init(|| self.wanted.iter().map(|word| Finder::new(*word)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_stand() {
        static WORDS: Words<'_> = Words::new(&["sea", "harbour"]);
        let text = "a harbour, the sea, the sea";
        assert_eq!(WORDS.all(text).collect::<Vec<_>>(), [("sea", 15), ("sea", 24), ("harbour", 2)]);
        assert_eq!((WORDS.first(text), WORDS.first("Sea")), (Some(2), None));
        assert!(WORDS.is_in("seaside") && !WORDS.is_in(""));
    }

    #[test]
    fn many_words_are_found_as_few_are() {
        static FEW: Words<'_> = Words::new(&["sea", "harbour"]);
        static MANY: Words<'_> = Words::new(&["sea", "harbour", "tide", "hull", "mast", "keel"]);
        let text = "a harbour, the sea, the sea";
        assert_eq!(MANY.places(text).collect::<Vec<_>>(), [2, 15, 24]);
        assert_eq!(FEW.places(text).collect::<Vec<_>>(), [2, 15, 24]);
        assert!(MANY.is_in("seaside") && !MANY.is_in("") && !MANY.is_in("a Hull"));
    }
}

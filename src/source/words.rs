//! Words that are looked for in the texts of a whole tree. To make ready for a word takes longer than to look through a small
//! file, so that it is done once.

use memchr::memmem::Finder;
use std::sync::OnceLock;

/// Words to look for, as they stand.
pub struct Words<'w> {
    words: &'w [&'w str],
    finders: OnceLock<Vec<Finder<'w>>>,
}

impl<'w> Words<'w> {
    /// These words.
    pub const fn new(words: &'w [&'w str]) -> Self {
        Self { words, finders: OnceLock::new() }
    }

    /// Whether a text has one of them.
    pub fn is_in(&self, text: &str) -> bool {
        self.finders().iter().any(|finder| finder.find(text.as_bytes()).is_some())
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
        self.words.iter().zip(self.finders()).flat_map(of)
    }

    fn finders(&self) -> &[Finder<'w>] {
        self.finders.get_or_init(|| self.words.iter().map(|word| Finder::new(*word)).collect())
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
}

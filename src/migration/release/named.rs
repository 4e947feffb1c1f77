//! The files of a release in which names stand as whole words. What was searched once is not searched again at another release,
//! for whatever database. Knows no language.

use crate::{
    extract,
    source::{
        GitError,
        history::{Content, History},
    },
};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

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
        Self { words: words.into_iter().cloned().collect(), found: HashMap::default() }
    }

    /// The files among these, tests aside, in which one of these names stands.
    pub fn files(
        &mut self,
        history: &dyn History,
        listed: &[&(String, Content)],
        names: &[String],
    ) -> Result<Vec<String>, GitError> {
        let is_read = |path: &str| extract::is_wanted(path) && !extract::is_test_code(path);
        let listed: Vec<&(String, Content)> =
            listed.iter().copied().filter(|(path, _)| is_read(path)).collect();
        let fresh = listed.iter().map(|(_, content)| content);
        let fresh: BTreeSet<&Content> = fresh.filter(|content| !self.found.contains_key(*content)).collect();
        let fresh: Vec<Content> = fresh.into_iter().cloned().collect();
        let found = history.mentions(&fresh, &self.words)?;
        self.found.extend(fresh.into_iter().zip(found));
        let is_asked = |word: &usize| self.words.get(*word).is_some_and(|word| names.contains(word));
        let holds =
            |content: &Content| self.found.get(content).is_some_and(|found| found.iter().any(is_asked));
        Ok(listed.into_iter().filter(|(_, content)| holds(content)).map(|(path, _)| path.clone()).collect())
    }
}

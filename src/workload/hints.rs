//! Indexes that code names where a statement says INDEXED BY, for SQLite refuses the statement without them. The name may stand
//! there, or in a string of the same file that is put in.

use crate::{
    extract,
    source::{Sources, Words},
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// What asks for an index, as people write it.
static ASKS: Words<'_> = Words::new(&["INDEXED BY", "indexed by", "Indexed By"]);

/// Those of these indexes that code names, tests aside, for a statement that asks for one.
pub fn hinted<'n>(sources: &Sources, names: &BTreeSet<&'n str>) -> BTreeSet<&'n str> {
    if names.is_empty() {
        return BTreeSet::new();
    }
    // A name is put in near where it is asked for.
    let asking: Vec<_> = sources
        .as_slice()
        .par_iter()
        .filter(|one| !extract::is_test_code(&one.path) && one.has_any(&ASKS))
        .collect();
    let all: Vec<&str> = names.iter().copied().collect();
    let words = Words::new(&all);
    let of = |text: &str| -> Vec<&'n str> {
        let all: Vec<(&str, usize)> =
            words.all(text).filter(|&(name, at)| is_asked_for(text, name, at)).collect();
        names.iter().filter(|name| all.iter().any(|(one, _)| one == *name)).copied().collect()
    };
    asking.par_iter().flat_map_iter(|one| one.peek(of)).collect()
}

/// Whether a name is that of an index to go by, and not of one to be made or dropped.
fn is_asked_for(text: &str, name: &str, at: usize) -> bool {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let (before, behind) = (text.get(..at).unwrap_or(""), text.get(at + name.len()..).unwrap_or(""));
    let is_word = |one: char| one.is_alphanumeric() || one == '_';
    let is_quoted = before.ends_with(QUOTES) && behind.starts_with(QUOTES);
    let before = before.trim_end_matches(QUOTES);
    let ends = |word: &str| {
        let start = before.trim_end().len().saturating_sub(word.len());
        before.get(start..).is_some_and(|end| end.trim_end().eq_ignore_ascii_case(word))
    };
    if ends("indexed by") {
        return !behind.starts_with(is_word);
    }
    is_quoted && !ends("index") && !ends("exists") && !ends("index(")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn named(text: &str) -> Vec<String> {
        let sources =
            Sources::of(vec![Source::new("src/a.rs", text), Source::new("tests/b.rs", "INDEXED BY b_t")]);
        hinted(&sources, &BTreeSet::from(["b_t", "b"])).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn an_index_is_named_where_it_is_asked_for() {
        assert_eq!(named("run(\"SELECT a FROM t INDEXED BY b_t WHERE a = 1\")"), ["b_t"]);
        assert_eq!(named("let name = \"b\"; format!(\"SELECT a FROM t INDEXED BY {name}\")"), ["b"]);
        assert!(named("let name = \"b\"; format!(\"SELECT a FROM t\")").is_empty());
        assert!(named("run(\"SELECT a FROM t INDEXED BY c\"); run(`DROP INDEX \"b_t\"`)").is_empty());
    }
}

//! Texts that a function keeps in variables and puts together to the one that is run: the whole is a step, and its parts are none.
//! Knows where the bytes of a text stand; whether what is put together runs is not asked.

use super::Mentions;
use crate::extract::{Extraction, Literal};
use std::collections::{BTreeMap, BTreeSet};

/// The most parts of one text that are looked at.
const MOST: usize = 256;

/// The texts that some of these have in them as whole statements, by what has them: as indexes of the literals.
pub(super) fn parts(
    extraction: &Extraction,
    ddl: &BTreeMap<usize, Mentions>,
) -> BTreeMap<usize, BTreeSet<usize>> {
    // What a call is handed is run, whatever else has it.
    let is_kept = |one: &Literal| {
        one.function.is_some() && one.constant.is_none() && one.sink.is_none() && !one.language.is_sql
    };
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let pieces = extraction.pieces(&is_kept, &|index| ddl.contains_key(&index));
    for (piece, whole) in pieces {
        let (one, other) = (extraction.literals.get(piece), extraction.literals.get(whole));
        let is_its = || {
            one.zip(other).is_some_and(|(one, other)| {
                let texts = one.variants.first().zip(other.variants.first());
                one.function == other.function
                    && texts.is_some_and(|(part, whole)| has_whole(whole.as_str(), part.as_str()))
            })
        };
        let parts = found.entry(whole).or_default();
        if parts.len() < MOST && is_its() {
            parts.insert(piece);
        }
    }
    found
}

/// Whether a text has another one in it, with nothing of the statements around it in between.
fn has_whole(text: &str, part: &str) -> bool {
    let found = text.split_once(part).filter(|_| part.len() < text.len());
    found.is_some_and(|(before, behind)| {
        let (before, behind) = (before.trim_end(), behind.trim_start());
        (before.is_empty() || before.ends_with(';'))
            && (behind.is_empty() || behind.starts_with(';') || part.trim_end().ends_with(';'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_a_whole_statement_of_what_has_it() {
        assert!(has_whole("CREATE TABLE a(b); UPDATE a SET b = 1 ;", "UPDATE a SET b = 1"));
        assert!(has_whole("DROP TABLE a; SELECT 1", "DROP TABLE a;"));
        assert!(!has_whole("CREATE VIEW a AS SELECT 1", "SELECT 1"));
        assert!(!has_whole("CREATE TABLE a(b) STRICT", "CREATE TABLE a(b)"));
        assert!(!has_whole("SELECT 1", "SELECT 1"));
    }
}

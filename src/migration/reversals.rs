//! Texts in code that undo others: they stand in another argument, another method, another column. Told by the code in front
//! of a text, in the way of each convention. Knows brackets and words; no grammar.

use super::conventions::ALL;
use crate::{
    extract::{self, Extraction, Literal},
    source::{SourceId, Sources},
};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for each byte of a text that is SQL.
pub(super) const SQL: char = '\u{2}';

/// How far in front of a text its brackets are looked for.
const FAR: usize = 16 * 1024;

/// A bracket around a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Level<'a> {
    /// The code in front of the bracket, white space at its end aside.
    pub head: &'a str,
    /// What stands in the bracket in front of the place, between commas, white space aside; the last is the place's own.
    pub parts: Vec<&'a str>,
}

impl<'a> Level<'a> {
    /// Whether the bracket is that of a call whose name ends so.
    pub fn calls(&self, name: &str) -> bool {
        self.head.strip_suffix(name).is_some_and(|before| !before.ends_with(is_name))
    }

    /// The name in front of the bracket.
    pub fn name(&self) -> &'a str {
        let start = self.head.trim_end_matches(is_name).len();
        self.head.get(start..).unwrap_or("")
    }

    /// How many commas stand in front of the place.
    pub fn index(&self) -> usize {
        self.parts.len().saturating_sub(1)
    }

    /// Whether the place's own part is one that is given by this name.
    pub fn is_given(&self, name: &str) -> bool {
        let own = self.parts.last().and_then(|own| own.strip_prefix(name));
        own.is_some_and(|behind| behind.trim_start().starts_with(['=', ':']))
    }
}

fn is_name(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// The brackets around the end of some code, from the inside out. Texts in it are blank.
pub(super) fn levels(code: &str) -> Vec<Level<'_>> {
    let mut levels = Vec::new();
    let mut depth = 0_usize;
    let mut commas: Vec<usize> = Vec::new();
    let from = code.len().saturating_sub(FAR);
    for (at, byte) in code.bytes().enumerate().skip(from).rev() {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            b'(' | b'[' | b'{' => {
                commas.push(at);
                commas.reverse();
                let ends = commas.iter().copied().skip(1).chain([code.len()]);
                let between = |(start, end): (&usize, usize)| Some(code.get(start + 1..end)?.trim());
                let parts = commas.iter().zip(ends).filter_map(between).collect();
                levels.push(Level { head: code.get(..at).unwrap_or("").trim_end(), parts });
                commas = Vec::new();
            }
            b',' if depth == 0 => commas.push(at),
            _ => {}
        }
    }
    levels
}

/// The texts that undo others.
pub(super) struct Reversals(BTreeSet<usize>);

impl Reversals {
    /// Finds those among these literals.
    pub fn among(
        sources: &Sources,
        extraction: &Extraction,
        literals: impl IntoIterator<Item = usize>,
    ) -> Self {
        let mut code: BTreeMap<SourceId, String> = BTreeMap::new();
        let mut found = BTreeSet::new();
        for index in literals {
            let literal = extraction.literals.get(index).filter(|literal| !literal.language.is_sql);
            let Some(Literal { site, .. }) = literal else { continue };
            let code = code.entry(site.source).or_insert_with(|| blanked(sources, extraction, site.source));
            let before = code.get(..site.start as usize).unwrap_or("");
            if ALL.iter().any(|one| (one.undoes)(before)) {
                found.insert(index);
            }
        }
        Self(found)
    }

    /// Whether a literal is one of them.
    pub fn has(&self, literal: usize) -> bool {
        self.0.contains(&literal)
    }
}

/// The code of a file with spaces in the place of its texts, and [`SQL`] in that of SQL.
fn blanked(sources: &Sources, extraction: &Extraction, id: SourceId) -> String {
    let Some(source) = sources.get(id) else { return String::new() };
    let mut bytes = source.text.clone().into_bytes();
    let first = extraction.literals.partition_point(|literal| literal.site.source < id);
    let own = extraction.literals.iter().skip(first).take_while(|literal| literal.site.source == id);
    let sql: BTreeSet<u32> = own.map(|literal| literal.site.start).collect();
    for (start, end) in extract::literals(&source.path, &source.text) {
        let fill = if sql.contains(&start) { SQL as u8 } else { b' ' };
        bytes.get_mut(start as usize..end as usize).unwrap_or_default().fill(fill);
    }
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brackets_around_a_place_have_heads_and_parts() {
        let levels = levels("f(a, [g(1, 2), h(x, y ");
        let seen: Vec<(&str, Vec<&str>)> =
            levels.iter().map(|level| (level.name(), level.parts.clone())).collect();
        assert_eq!(
            seen,
            [("h", vec!["x", "y"]), ("", vec!["g(1, 2)", "h(x, y"]), ("f", vec!["a", "[g(1, 2), h(x, y"])]
        );
        assert!(levels.first().is_some_and(|level| level.calls("h") && level.index() == 1));
    }
}

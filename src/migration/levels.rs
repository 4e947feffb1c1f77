//! The brackets around places in code: what stands in front of each, and between the commas in it. Knows brackets and words; no
//! grammar.

use crate::{
    extract::{self, Extraction},
    source::{SourceId, Sources},
};
use std::{collections::BTreeSet, ops::Range};

/// Stands for each byte of a text that is SQL.
pub(super) const SQL: char = '\u{2}';

/// The most brackets around a text that are looked at.
const DEEP: usize = 16;

/// A bracket around a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level<'a> {
    /// The code in front of the place. Texts in it are blank.
    code: &'a str,
    /// The bracket.
    open: usize,
    /// The commas in it, those within other brackets aside.
    commas: &'a [usize],
}

impl<'a> Level<'a> {
    /// The code in front of the bracket, white space at its end aside.
    pub fn head(&self) -> &'a str {
        self.code.get(..self.open).unwrap_or("").trim_end()
    }

    /// Whether the bracket is that of a call whose name ends so.
    pub fn calls(&self, name: &str) -> bool {
        self.head().strip_suffix(name).is_some_and(|before| !before.ends_with(is_name))
    }

    /// The name in front of the bracket.
    pub fn name(&self) -> &'a str {
        let head = self.head();
        head.get(head.trim_end_matches(is_name).len()..).unwrap_or("")
    }

    /// How many commas stand in front of the place.
    pub fn index(&self) -> usize {
        self.commas.len()
    }

    /// What stands in the bracket between two commas, white space aside; the last is the place's own.
    pub fn part(&self, index: usize) -> Option<&'a str> {
        self.code.get(self.range(index)?).map(str::trim)
    }

    /// The bracket.
    pub fn sign(&self) -> u8 {
        self.code.as_bytes().get(self.open).copied().unwrap_or_default()
    }

    /// Where the bracket stands.
    pub const fn open(&self) -> usize {
        self.open
    }

    /// From where to where a part stands in the bracket, as bytes; the place's own ends at the place.
    pub fn range(&self, index: usize) -> Option<Range<usize>> {
        let start = if index == 0 { self.open } else { *self.commas.get(index - 1)? };
        let end = self.commas.get(index).copied().unwrap_or(self.code.len());
        Some(start + 1..end)
    }

    /// Whether the place's own part is one that is given by this name.
    pub fn is_given(&self, name: &str) -> bool {
        let own = self.part(self.index()).and_then(|own| own.strip_prefix(name));
        own.is_some_and(|behind| behind.trim_start().starts_with(['=', ':']))
    }
}

fn is_name(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// A walk through the code of a file, from its beginning.
#[derive(Default)]
pub(super) struct Walk {
    code: String,
    at: usize,
    /// The brackets that are open, each with the commas in it.
    open: Vec<(usize, Vec<usize>)>,
}

impl Walk {
    /// One through this code.
    pub fn through(code: String) -> Self {
        Self { code, ..Self::default() }
    }

    /// The brackets around a place that no place before lies behind, from the inside out.
    pub fn levels(&mut self, end: usize) -> Vec<Level<'_>> {
        for (at, byte) in (self.at..end).zip(self.code.get(self.at..end).unwrap_or("").bytes()) {
            match byte {
                b'(' | b'[' | b'{' => self.open.push((at, Vec::new())),
                b')' | b']' | b'}' => drop(self.open.pop()),
                b',' => {
                    if let Some((_, commas)) = self.open.last_mut() {
                        commas.push(at);
                    }
                }
                _ => {}
            }
        }
        self.at = end;
        let code = self.code.get(..end).unwrap_or("");
        let near = self.open.iter().rev().take(DEEP);
        near.map(|(open, commas)| Level { code, open: *open, commas }).collect()
    }
}

/// The code of a file without comments, with spaces in the place of its texts, and [`SQL`] in that of SQL.
pub(super) fn blanked(sources: &Sources, extraction: &Extraction, id: SourceId) -> String {
    let Some(source) = sources.get(id) else { return String::new() };
    let first = extraction.literals.partition_point(|literal| literal.site.source < id);
    let own = extraction.literals.iter().skip(first).take_while(|literal| literal.site.source == id);
    let sql: BTreeSet<u32> = own.map(|literal| literal.site.start).collect();
    let fill = |start| if sql.contains(&start) { SQL as u8 } else { b' ' };
    extract::blanked(&source.path, source.text(), fill)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brackets_around_a_place_have_heads_and_parts() {
        let code = "e(1) } f(a, [g(1, 2), h(x, y ".to_owned();
        let mut walk = Walk::through(code);
        assert!(walk.levels(2).first().is_some_and(|level| level.calls("e") && level.index() == 0));
        let levels = walk.levels(walk.code.len());
        let parts = |level: &Level<'_>| -> Vec<String> {
            (0..=level.index()).filter_map(|index| level.part(index).map(str::to_owned)).collect()
        };
        let seen: Vec<(&str, Vec<String>)> =
            levels.iter().map(|level| (level.name(), parts(level))).collect();
        let owned = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<String>>();
        assert_eq!(
            seen,
            [
                ("h", owned(&["x", "y"])),
                ("", owned(&["g(1, 2)", "h(x, y"])),
                ("f", owned(&["a", "[g(1, 2), h(x, y"]))
            ]
        );
    }

    #[test]
    fn the_bracket_around_a_long_list_is_seen_from_its_end() {
        let code = format!("steps = [{}(up, down", "(one, two),\n".repeat(10_000));
        let mut walk = Walk::through(code);
        let levels = walk.levels(walk.code.len());
        assert_eq!(levels.iter().map(Level::index).collect::<Vec<_>>(), [1, 10_000]);
    }
}

//! What a program's own helpers run without foreign keys, as they are called for it: `run_with_foreign_keys_disabled(remove)`,
//! `transaction(() => …, { disableForeignKeys: true })`. Told by words and brackets.

use crate::{
    extract,
    source::{Site, Source, SourceId, Sources, Words},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Parts of the names of such helpers, and of the options that ask one for it.
static NAMES: Words<'_> = Words::new(&[
    "foreign_keys_disabled",
    "foreign_keys_off",
    "without_foreign_keys",
    "disable_foreign_keys",
    "ForeignKeysDisabled",
    "ForeignKeysOff",
    "ithoutForeignKeys",
    "isableForeignKeys",
]);

/// How many bytes a call may be long.
const LONGEST: usize = 20_000;

/// The calls that run what they are given without foreign keys, by file.
pub struct Unenforced(BTreeMap<SourceId, Vec<(Range<u32>, String)>>);

impl Unenforced {
    /// Those in some files.
    pub fn find(sources: &Sources, files: &BTreeSet<SourceId>) -> Self {
        let read = |&file: &SourceId| Some((file, calls(sources.get(file)?)));
        Self(files.iter().filter_map(read).filter(|(_, calls)| !calls.is_empty()).collect())
    }

    /// Whether such a call runs what stands at a place, in a function of that name: it stands in the call, or the call names it.
    pub fn has(&self, site: Site, function: &str) -> bool {
        let calls = self.0.get(&site.source).map(Vec::as_slice).unwrap_or_default();
        calls.iter().any(|(range, text)| {
            range.contains(&site.start)
                || (!function.is_empty() && extract::sql::contains_word(text, function))
        })
    }
}

/// The arguments of such calls, with spaces in the place of literals and comments.
fn calls(source: &Source) -> Vec<(Range<u32>, String)> {
    if extract::is_sql(&source.path) || !NAMES.is_in(source.text()) {
        return Vec::new();
    }
    let text = extract::blanked(&source.path, source.text(), |_| b' ');
    let call = |(name, at): (&str, usize)| {
        let range = arguments(&text, at, at + name.len())?;
        Some((range.start as u32..range.end as u32, text.get(range)?.to_owned()))
    };
    NAMES.all(&text).filter_map(call).collect()
}

/// The bracket that the name is called with, or else the one of the call that it is an option of.
fn arguments(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    let before = text.get(..start)?.trim_end_matches(is_part);
    let behind = text.get(end..)?.trim_start_matches(is_part);
    let open = text.len() - behind.len();
    if behind.starts_with('(') {
        let declares = ["def", "fn", "func", "fun", "function"];
        let word = before.trim_end().rsplit(|one| !is_part(one)).next()?;
        return (!declares.contains(&word)).then(|| group(text, open)).flatten();
    }
    let value = behind.trim_start_matches([':', '=', ' ']);
    if value.get(..5).is_some_and(|value| value.eq_ignore_ascii_case("false")) {
        return None;
    }
    let mut depth = 0_usize;
    let floor = before.len().saturating_sub(LONGEST);
    for (at, byte) in before.bytes().enumerate().rev().take_while(|(at, _)| *at >= floor) {
        match byte {
            b')' => depth += 1,
            b'(' if depth == 0 => return group(text, at),
            b'(' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A parenthesis, from the one that opens it to the one that closes it.
fn group(text: &str, open: usize) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(open).take(LONGEST) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(open..at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_run_without_foreign_keys_stands_in_a_call_or_is_named_there() {
        let of = |text: &str| {
            let source = Source::new("a.js".into(), text.into());
            calls(&source).into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(of("db.runWithForeignKeysDisabled(remove, 'a')"), ["(remove,    )"]);
        assert_eq!(
            of("run(() => f(1), { disableForeignKeys: true })"),
            ["(() => f(1), { disableForeignKeys: true })"]
        );
        assert!(of("run(() => f(1), { disableForeignKeys: false })").is_empty());
        assert!(of("function withoutForeignKeys(work) { work(); }").is_empty());
        assert!(of("// run(remove, withoutForeignKeys)").is_empty());
    }
}

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
        calls.iter().any(|(range, text)| range.contains(&site.start) || names(text, function))
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

/// Whether a call names a function: by itself, or as a method of its own value.
fn names(text: &str, function: &str) -> bool {
    const OWN: [&str; 3] = ["self", "this", "cls"];
    !function.is_empty()
        && text.match_indices(function).any(|(at, _)| {
            let (before, behind) =
                (text.get(..at).unwrap_or(""), text.get(at + function.len()..).unwrap_or(""));
            let is_whole = !before.ends_with(is_part) && !behind.starts_with(is_part);
            let owner = before.strip_suffix('.').map(|before| before.rsplit(|one| !is_part(one)).next());
            is_whole && owner.is_none_or(|owner| owner.is_some_and(|owner| OWN.contains(&owner)))
        })
}

fn is_part(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// The bracket that the name is called with, or else the one of the call that it is an option of.
fn arguments(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let before = text.get(..start)?.trim_end_matches(is_part);
    let behind = text.get(end..)?.trim_start_matches(is_part);
    let open = text.len() - behind.len();
    if behind.starts_with('(') {
        let call = group(text, open)?;
        // A declaration goes on with a type, or with its body.
        let next = text.get(call.end..)?.trim_start_matches(' ').chars().next();
        let declares = before.trim_end().ends_with("def")
            || next.is_some_and(|next| next.is_alphabetic() || "{:->*[".contains(next));
        return (!declares).then_some(call);
    }
    let value = behind.trim_start_matches([':', '=', ' ']).to_ascii_lowercase();
    let is_on = ["true", "1", ",", "}", ")"].iter().any(|on| value.trim_start().starts_with(on));
    is_on.then(|| option_of(before)).flatten().and_then(|open| group(text, open))
}

/// The parenthesis of the call that an option behind a text is handed to: as it is, or in an object by itself.
fn option_of(before: &str) -> Option<usize> {
    let (mut depth, mut objects) = (0_usize, 0_usize);
    let floor = before.len().saturating_sub(LONGEST);
    for (at, byte) in before.bytes().enumerate().rev().take_while(|(at, _)| *at >= floor) {
        match byte {
            b')' | b'}' => depth += 1,
            b'(' if depth == 0 => return Some(at),
            b'{' if depth == 0 => {
                let is_argument = before.get(..at)?.trim_end().ends_with([',', '(']);
                objects += 1;
                if objects > 1 || !is_argument {
                    return None;
                }
            }
            b'(' | b'{' => depth = depth.saturating_sub(1),
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
            let source = Source::new("a.js", text);
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
        assert!(of("class A { withoutForeignKeys(remove: () => void) { } }").is_empty());
        assert!(of("wrap(function () { const o = { disableForeignKeys: true }; })").is_empty());
        assert!(of("run(() => f(1), { disableForeignKeys: asked })").is_empty());
    }

    #[test]
    fn a_method_of_another_value_is_not_named() {
        assert!(
            names("(remove)", "remove")
                && names("(this.remove)", "remove")
                && names("(self.remove, 1)", "remove")
        );
        assert!(!names("(table.remove)", "remove") && !names("(removed)", "remove") && !names("(a)", ""));
    }
}

//! Texts that stand in SQL for something else until the program puts that there: `_TABLE_`, which `.replace(…)` is given.
//! Whether a text is SQL without it, SQLite says further on.

use crate::extract::{
    fold::{Folder, Spot},
    lexer::Kind,
    sql::makes_schema,
    text::Text,
    words::Words,
};

/// What replaces one text with another.
pub const REPLACES: [&str; 9] = [
    "str_replace",
    "replace",
    "replaceAll",
    "replace_all",
    "replacen",
    "replacingOccurrences",
    "gsub",
    "Replace",
    "ReplaceAll",
];

/// What takes the end of a text away.
const CUTS: [&str; 5] = ["trim_end_matches", "strip_suffix", "trim_suffix", "removesuffix", "TrimSuffix"];

/// What locks rows in other systems, and is taken from the end of a text for SQLite.
const LOCK: &str = "FOR UPDATE";

/// The most of them that are kept.
const MOST: usize = 200;

/// A text that the program replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// As it stands in other texts.
    pub text: String,
    /// What is put in its place, as far as that is known.
    pub values: Vec<Text>,
}

/// The markers of all files, tests aside.
pub fn markers(folder: &Folder<'_>) -> Vec<Marker> {
    let sieve: Words = REPLACES.iter().chain(&CUTS).copied().collect();
    let mut found: Vec<Marker> = Vec::new();
    for (index, unit) in folder.units.iter().enumerate().filter(|(_, unit)| !unit.is_test) {
        for call in unit.sketch.calls.iter().filter(|call| call.is_call) {
            let spot = Spot::at(index, call.function);
            let word = folder.word(spot, call.name as usize);
            if !sieve.may_hold_word(word) {
                continue;
            }
            if CUTS.contains(&word) {
                found.extend(lock(folder, spot, call.name as usize));
            }
            if !REPLACES.contains(&word) {
                continue;
            }
            let Some(one) = marker(folder, spot, call.name as usize) else { continue };
            if let Some(other) = found.iter_mut().find(|other| other.text == one.text) {
                other.values.extend(one.values);
            } else {
                found.push(one);
            }
            if found.len() >= MOST {
                return found;
            }
        }
    }
    found
}

/// The marker that the call at a token replaces.
fn marker(folder: &Folder<'_>, spot: Spot, name: usize) -> Option<Marker> {
    let (arguments, _) = folder.arguments(spot, Some(name + 1).filter(|&open| folder.is(spot, open, b'('))?);
    // `strings.Replace(text, old, new, n)`
    let is_behind = folder.language(spot)?.receivers && folder.word(spot, name.checked_sub(2)?) == "strings";
    let mut arguments = arguments.into_iter().skip(usize::from(is_behind));
    let (start, end) = arguments.next()?;
    let text = if folder.kind(spot, start) == Some(Kind::Atom) {
        plain(folder.word(spot, start))?.to_owned()
    } else {
        let (texts, next) = folder.chain(spot, start);
        let [only] = texts.as_slice() else { return None };
        (next == end && only.holes().is_empty()).then(|| only.as_str().to_owned())?
    };
    let values = arguments.next().map_or_else(Vec::new, |(start, _)| folder.chain(spot, start).0);
    // What Go formats, elsewhere or here.
    let is_verb = text.len() == 2 && text.starts_with('%') && folder.language(spot)?.receivers;
    (is_marker(&text) && !is_verb).then_some(Marker { text, values })
}

/// The words that lock rows, where the call at a token takes them away.
fn lock(folder: &Folder<'_>, spot: Spot, name: usize) -> Option<Marker> {
    let (arguments, _) = folder.arguments(spot, Some(name + 1).filter(|&open| folder.is(spot, open, b'('))?);
    let (start, _) = *arguments.last()?;
    let word = folder.word(spot, start).trim_matches(['"', '\'', ' ']);
    word.eq_ignore_ascii_case(LOCK).then(|| Marker { text: LOCK.to_owned(), values: Vec::new() })
}

/// The text as the program runs it: without the words that lock rows, where code takes these away, and with names in the place of tags.
#[must_use]
pub(in crate::extract) fn as_run(text: Text, markers: &[Marker]) -> Text {
    let locked = text.as_str().trim_end();
    let start = locked.len().checked_sub(LOCK.len()).filter(|_| markers.iter().any(|one| one.text == LOCK));
    let is_locked = |&start: &usize| locked.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(LOCK));
    match start.filter(is_locked) {
        Some(start) => named(text.part(0, start), markers),
        None => named(text, markers),
    }
}

/// The text that a regular expression finds, where that is one: `/_TABLE_/g`.
fn plain(expression: &str) -> Option<&str> {
    let (inner, _) = expression.strip_prefix('/')?.rsplit_once('/')?;
    inner.chars().all(|one| one.is_alphanumeric() || "_-%#@:`".contains(one)).then_some(inner)
}

/// A schema with names in the place of the tags in braces that the program replaces in it: `"{{users}}"` is the table that the
/// program says, or else is called so; one that is never a whole name is a prefix, which most have not.
fn named(text: Text, markers: &[Marker]) -> Text {
    if !makes_schema(text.as_str()) || !text.as_str().contains("{{") {
        return text;
    }
    let is_tag = |marker: &&Marker| marker.text.starts_with("{{") && marker.text.ends_with("}}");
    let mut named = text;
    for marker in markers.iter().filter(is_tag) {
        let own = marker.text.trim_matches(['{', '}']);
        let is_own = named.as_str().contains(&format!("\"{}\"", marker.text));
        let known = marker.values.iter().find(|value| value.holes().is_empty() && !value.as_str().is_empty());
        let mut value = known.cloned().unwrap_or_default();
        if known.is_none()
            && is_own
            && let Some((source, offset)) = named.origins().next()
        {
            value.push_at(own, source, offset);
        }
        named = named.replace(&marker.text, &value);
    }
    named
}

fn is_word(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// Whether a text is none that SQL has of itself: it has a sign that no name has, or stands between signs that few have.
pub(in crate::extract) fn is_marker(text: &str) -> bool {
    let is_between = text.len() > 3 && text.starts_with('_') && text.ends_with('_');
    text.len() > 1
        && text.contains(is_word)
        && !text.contains([' ', '\n', '\'', '?', ',', '.', '(', ')', '"'])
        && (is_between || !text.chars().all(is_word))
}

//! What has to stand behind the verb of a text, where the word there does not tell.

use super::{Looks, contains_word, skip_leading, word};
use crate::extract::text::HOLE;

/// `SELECT` in capitals or with a FROM is SQL; "select the best of them" needs to be run by something.
pub(super) fn select(verb: &str, text: &str) -> Looks {
    let capitals = verb.bytes().all(|byte| byte.is_ascii_uppercase());
    // `select:not([disabled])` finds elements of a page, and `select-one` is what one of them is.
    let behind = skip_leading(text).get(verb.len()..).unwrap_or("");
    let is_joined = behind.strip_prefix('-').is_some_and(|word| word.starts_with(char::is_alphabetic));
    if capitals || contains_word(text, "from") {
        Looks::Yes
    } else if is_joined || behind.starts_with([':', '[', '.', '#', '>']) {
        Looks::No
    } else {
        Looks::Perhaps
    }
}

/// `INSERT {how} INTO t VALUES …`: what stands behind the verb is computed.
pub(super) fn inserts(text: &str) -> bool {
    contains_word(text, "into") && (contains_word(text, "values") || contains_word(text, "select"))
}

/// `CREATE {unique} INDEX …`: what stands behind the verb is computed, as its sign says.
pub(super) fn creates(text: &str) -> bool {
    let (_, behind) = word(skip_leading(text));
    let is_computed = behind.trim_start().starts_with(['{', '%', '$', '#', '\\', HOLE]);
    is_computed && (contains_word(text, "table") || contains_word(text, "index"))
}

/// "CREATE TABLE statements are impacted", "create temp dir", "create index: failed", "create index 1", "drop table [t] failed":
/// what is created or dropped is nothing that SQL creates, or behind its name goes on what no definition says, and there is none.
pub(super) fn is_sentence(text: &str) -> bool {
    const ADJECTIVES: [&str; 4] = ["temp", "temporary", "unique", "virtual"];
    const KINDS: [&str; 4] = ["table", "index", "view", "trigger"];
    const EXISTENCE: [&str; 3] = ["if", "not", "exists"];
    const BEHIND: [&str; 17] = [
        "as", "on", "like", "using", "without", "before", "after", "instead", "for", "insert", "update",
        "delete", "cascade", "restrict", "create", "drop", "select",
    ];
    let is = |one: &str, words: &[&str]| words.iter().any(|word| one.eq_ignore_ascii_case(word));
    // The first word that is none of these, and what stands behind it.
    let past = |rest, words: &[&str]| {
        let mut rest: &str = rest;
        loop {
            let (one, behind) = word(skip_leading(rest));
            if one.is_empty() || !is(one, words) {
                return (one, behind, rest);
            }
            rest = behind;
        }
    };
    let (_, created) = word(skip_leading(text));
    let (kind, behind, _) = past(created, &ADJECTIVES);
    if !is(kind, &KINDS) {
        return !kind.is_empty();
    }
    let (name, after, between) = past(behind, &EXISTENCE);
    let after = if name.is_empty() { quoted_name_end(between).unwrap_or(after) } else { after };
    let (next, _) = word(after.trim_start());
    // A pattern that finds such a statement has no name, but any.
    let is_pattern = name.is_empty() && between.trim_start().starts_with(".*");
    let is_label = between.starts_with(':') || name.parse::<u32>().is_ok();
    is_label || is_pattern || !next.is_empty() && !is(next, &BEHIND) && !text.contains('(')
}

/// What stands behind a name in quotes or brackets that a text begins with. A string of C# may write each quote twice.
fn quoted_name_end(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let closing = match text.bytes().next()? {
        b'[' => "]",
        b'"' => "\"",
        b'`' => "`",
        _ => return None,
    };
    let twice = closing.repeat(2);
    if let Some(rest) = text.strip_prefix(&twice) {
        return Some(rest.split_once(&twice)?.1);
    }
    // Within the name, a quote is written twice.
    let mut rest = text.get(1..)?;
    loop {
        rest = rest.split_once(closing)?.1;
        let Some(more) = rest.strip_prefix(closing) else { return Some(rest) };
        rest = more;
    }
}

pub(super) fn update(second: &str, text: &str) -> Looks {
    if second == "or" || contains_word(text, "set") { Looks::Yes } else { Looks::No }
}

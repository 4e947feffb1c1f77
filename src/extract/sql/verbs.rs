//! What has to stand behind the verb of a text, where the word there does not tell.

use super::{Looks, contains_word, skip_leading, word};
use crate::extract::text::HOLE;

/// `SELECT` in capitals or with a FROM is SQL; "select the best of them" needs to be run by something.
pub(super) fn select(verb: &str, text: &str) -> Looks {
    let capitals = verb.bytes().all(|byte| byte.is_ascii_uppercase());
    // `select:not([disabled])` finds elements of a page.
    let behind = skip_leading(text).get(verb.len()..).unwrap_or("");
    if capitals || contains_word(text, "from") {
        Looks::Yes
    } else if behind.starts_with([':', '[', '.', '#', '>']) {
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

pub(super) fn update(second: &str, text: &str) -> Looks {
    if second == "or" || contains_word(text, "set") { Looks::Yes } else { Looks::No }
}

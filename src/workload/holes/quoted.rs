//! Values that a program puts between quotes.

use super::around::{is_word, last_word, open_quote};
use crate::extract::text::{HOLE, Text};

/// The text with a value in the place of each hole that is all of a `'…'` or `"…"` where a value is due: whoever puts a value
/// there means any. Programs write strings in double quotes, too, and SQLite takes them for that where no column has the name.
pub(in crate::workload) fn with_values(text: &Text) -> Text {
    let mut found = text.clone();
    let mut from = 0;
    while let Some(at) = found.as_str().get(from..).and_then(whole).map(|at| at + from) {
        from = at + 1;
        let (before, behind) = found.as_str().split_at(at);
        if open_quote(before).is_none() && wants_value(before) {
            let mut valued = found.part(0, before.len());
            valued.append(&found.part(at + 1, at + 1 + HOLE.len_utf8()));
            valued.append(&found.part(at + 2 + HOLE.len_utf8(), before.len() + behind.len()));
            found = valued;
        } else {
            from += 2;
        }
    }
    found
}

/// Where a hole is all that stands between two quotes.
fn whole(sql: &str) -> Option<usize> {
    ["'\u{1}'", "\"\u{1}\""].iter().filter_map(|quoted| sql.find(quoted)).min()
}

/// Whether a text ends where a value is due, and not a name: behind a comparison with something that is known, or in a list
/// of values.
fn wants_value(before: &str) -> bool {
    let lead = before.trim_end();
    let word = last_word(lead).to_ascii_lowercase();
    if matches!(word.as_str(), "like" | "glob" | "match" | "regexp") {
        return true;
    }
    if lead.ends_with(['=', '<', '>']) {
        let operand = lead.trim_end_matches(['=', '<', '>', '!', ' ', '\n', '\t']);
        return !operand.ends_with("\u{1}\"");
    }
    let open =
        lead.trim_end_matches(|one: char| "\"\u{1},'?".contains(one) || one.is_whitespace() || is_word(one));
    let list = open.strip_suffix('(').map(|head| last_word(head.trim_end()).to_ascii_lowercase());
    lead.ends_with(['(', ',']) && list.is_some_and(|word| word == "in" || word == "values")
}

//! Values that a program puts between quotes.

use super::around::last_word;
use crate::extract::text::{HOLE, Text};

/// The text with a value in the place of each hole that is all of a `'…'` or `"…"` where a value is due: whoever puts a value
/// there means any. Programs write strings in double quotes, too, and SQLite takes them for that where no column has the name.
pub(in crate::workload) fn with_values(text: &Text) -> Text {
    let sql = text.as_str();
    if !is_whole_of("'", sql) && !is_whole_of("\"", sql) {
        return text.clone();
    }
    let mut valued = Text::default();
    let (mut from, mut open, mut lists) = (0, None, Lists::default());
    for (at, sign) in sql.char_indices().filter(|(_, sign)| *sign != HOLE) {
        match (open, sign) {
            _ if at < from => {}
            (Some(quote), _) if sign == quote => open = None,
            (None, '\'' | '"' | '`') => {
                let (before, behind) = sql.split_at(at);
                let whole = behind.strip_prefix(sign).and_then(|behind| behind.strip_prefix(HOLE));
                if sign != '`'
                    && whole.is_some_and(|rest| rest.starts_with(sign))
                    && wants_value(before, &lists)
                {
                    valued.append(&text.part(from, at));
                    from = at + 2 + HOLE.len_utf8();
                    valued.append(&text.part(at + 1, from - 1));
                    valued.mark_value();
                } else {
                    open = Some(sign);
                }
            }
            (None, '(') => lists.open(sql.get(..at).unwrap_or("")),
            (None, ')') => lists.close(),
            _ => {}
        }
    }
    valued.append(&text.part(from, sql.len()));
    valued
}

/// Whether a hole is all that stands between two of these quotes.
fn is_whole_of(quote: &str, sql: &str) -> bool {
    sql.contains(&format!("{quote}{HOLE}{quote}"))
}

/// The brackets around a place.
#[derive(Default)]
struct Lists {
    /// For each whether it holds values, `IN (…)` or a row of VALUES.
    around: Vec<bool>,
    /// Whether the last one that was closed did.
    was_list: bool,
}

impl Lists {
    fn open(&mut self, before: &str) {
        let lead = before.trim_end();
        let word = last_word(lead);
        let is_list = word.eq_ignore_ascii_case("in") || word.eq_ignore_ascii_case("values");
        self.around.push(is_list || (self.was_list && lead.ends_with(',')));
    }

    fn close(&mut self) {
        self.was_list = self.around.pop().unwrap_or(false);
    }
}

/// Whether a text ends where a value is due, and not a name: behind a comparison with something that is known, or in a list
/// of values.
fn wants_value(before: &str, lists: &Lists) -> bool {
    let lead = before.trim_end();
    let word = last_word(lead).to_ascii_lowercase();
    if matches!(word.as_str(), "like" | "glob" | "match" | "regexp") {
        return true;
    }
    if lead.ends_with(['=', '<', '>']) {
        let operand = lead.trim_end_matches(['=', '<', '>', '!', ' ', '\n', '\t']);
        return !operand.ends_with("\u{1}\"");
    }
    lists.around.last() == Some(&true) && lead.ends_with(['(', ','])
}

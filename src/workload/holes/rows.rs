//! How many values a row of VALUES has, told by the columns in front of it. Knows no schema.

use super::around::last_word;
use crate::extract::text::{HOLE, opening};

/// How many columns an INSERT, or a table of a WITH, names in front of its VALUES; as many does what is held against them: `(a, b) IN
/// (VALUES`.
pub(super) fn columns_in_front(lead: &str) -> usize {
    const BETWEEN: [&str; 5] = ["as", "as materialized", "as not materialized", "in", "not in"];
    let lower = lead.to_ascii_lowercase();
    let head = lower.rfind("values").map_or(lower.as_str(), |at| lower.get(..at).unwrap_or("")).trim_end();
    let inner = head.strip_suffix('(');
    let list = inner.unwrap_or(head).rsplit_once('(').and_then(|(_, list)| list.rsplit_once(')'));
    match list {
        Some((list, between)) if inner.is_none() || BETWEEN.contains(&between.trim()) => {
            list.split(',').count()
        }
        _ => 1,
    }
}

/// How many values a hole in a row of an INSERT stands for, where nothing stands beside it and the columns are named: as many
/// as no other value is for. Of several holes, a list is the one that is more than one value.
pub(super) fn values_left(lead: &str, after: &str, list: bool) -> Option<usize> {
    let (head, row) = lead.split_at_checked(opening(lead)?)?;
    let head = head.trim_end();
    let columns = head.get(..head.len().checked_sub("values".len())?)?;
    let columns = columns.trim_end().strip_suffix(')')?.rsplit_once('(')?.1;
    let rest = after.trim_start();
    let (others, end) = values_in(rest);
    let row = row.get(1..)?;
    let is_alone = !row.contains(HOLE) && !rest.get(..end)?.contains(HOLE);
    if !last_word(head).eq_ignore_ascii_case("values")
        || columns.contains(HOLE)
        || !(list || is_alone)
        || !rest.starts_with([',', ')'])
    {
        return None;
    }
    columns.split(',').count().checked_sub(values_in(row).0 + others).filter(|&count| count > 0)
}

/// How many commas stand between the values of a row up to its end, and where that is.
fn values_in(row: &str) -> (usize, usize) {
    let (mut depth, mut quote, mut commas) = (0_usize, None, 0);
    for (at, sign) in row.char_indices() {
        match (quote, sign) {
            (Some(open), _) if sign == open => quote = None,
            (None, '\'' | '"') => quote = Some(sign),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return (commas, at),
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => commas += 1,
            _ => {}
        }
    }
    (commas, row.len())
}

//! A list of texts in code, in the order in which they run; of three columns, the third undoes the second.

use crate::migration::convention::{Convention, PLAIN};
use crate::migration::reversals::{Level, SQL};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "a list in code", undoes, ..PLAIN };

/// Whether a text stands in the third column of a row, with SQL in the second alone.
fn undoes(levels: &[Level<'_>]) -> bool {
    let Some(row) = levels.first().filter(|row| row.index() == 2 && levels.len() > 1) else { return false };
    let is_row = row.head().ends_with([',', '[', '{', '(']);
    let is_sql = |column: usize| row.part(column).is_some_and(|part| part.contains(SQL));
    is_row && is_sql(1) && !is_sql(0)
}

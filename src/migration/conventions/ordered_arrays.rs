//! A list of texts in code, in the order in which they run; of three columns, the third undoes the second, or what stands in
//! front of a function.

use crate::migration::convention::{Convention, PLAIN};
use crate::migration::levels::{Level, SQL};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "a list in code", undoes, ..PLAIN };

/// Whether a text stands in the third column of a row, with SQL in the second alone, or in the first with a function behind it.
fn undoes(levels: &[Level<'_>]) -> bool {
    // `SQL("…")`: a macro around a text is no row.
    let is_wrapped = levels.first().is_some_and(|level| level.index() == 0 && !level.name().is_empty());
    let levels = levels.get(usize::from(is_wrapped)..).unwrap_or_default();
    let Some(row) = levels.first().filter(|row| row.index() == 2 && levels.len() > 1) else { return false };
    let is_row = row.head().ends_with([',', '[', '{', '(']);
    let is_sql = |column: usize| row.part(column).is_some_and(|part| part.contains(SQL));
    let is_word = |part: &str| part.chars().all(|one| one.is_alphanumeric() || one == '_');
    let is_function = |column: usize| row.part(column).is_some_and(|part| !part.is_empty() && is_word(part));
    is_row && ((is_sql(1) && !is_sql(0)) || (is_sql(0) && is_function(1)))
}

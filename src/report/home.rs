//! With which other findings one is told where they say the same. Knows statements and functions; not what is found.

use crate::{
    extract::{Function, sql},
    workload::Statement,
};

/// What the home of like statements begins with.
pub(super) const LIKE: &str = "like ";

/// What the home of those begins with that read a table through a view alone.
pub(super) const VIEW: &str = "view ";

/// What findings have in common that may say the same for one reason: they read a table through one view alone, are of one
/// function, or of statements in one file that differ in their values alone.
pub(super) fn home(
    table: Option<&str>,
    statement: &Statement,
    path: &str,
    function: Option<&Function>,
) -> String {
    match (view_of(statement, table.unwrap_or("")), function) {
        (Some(view), _) => format!("{VIEW}{view}"),
        (None, Some(function)) => format!("{path} {}", function.site.start),
        (None, None) => format!("{LIKE}{path} {}", sql::shape(&statement.raw)),
    }
}

/// The one view through which a statement reads a table, whatever it reads of it.
fn view_of<'s>(statement: &'s Statement, table: &str) -> Option<&'s str> {
    let reads = &statement.explained()?.reads;
    let mut own = reads.iter().filter(|read| read.table.eq_ignore_ascii_case(table));
    let view = own.next()?.through.as_deref()?;
    own.all(|read| read.through.as_deref() == Some(view)).then_some(view)
}

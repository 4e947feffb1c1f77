//! The few functions of SQLite whose time grows with the product of their arguments, without that.
//!
//! A step that is running cannot be interrupted, and one `trim()` of two long strings runs for minutes. These compute the
//! same in the time it takes to read the arguments once. Knows no limits but that of the length of a value.

use super::{sqlite, stubs};
use memchr::memmem;
use sqlite::ffi;
use sqlite::functions::Context;
use sqlite::limits::Limit;
use sqlite::types::ValueRef;
use std::borrow::Cow;
use std::collections::HashSet;

/// Sees to it that no single step on a connection takes long or makes a value of more bytes, also where the steps are
/// counted by somebody else.
///
/// # Errors
/// SQLite has no memory left.
pub fn bound_values(connection: &sqlite::Connection, longest: i32) -> sqlite::Result<()> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)?;
    register(connection, longest)
}

/// Puts them in the place of SQLite's own. No value may be longer than `longest` bytes.
pub(super) fn register(connection: &sqlite::Connection, longest: i32) -> sqlite::Result<()> {
    let longest = usize::try_from(longest).unwrap_or(0);
    let flags = stubs::flags();
    connection.create_scalar_function("instr", 2, flags, |context| Ok(position(context)))?;
    connection.create_scalar_function("replace", 3, flags, move |context| replaced(context, longest))?;
    for (name, start, end) in [("trim", true, true), ("ltrim", true, false), ("rtrim", false, true)] {
        connection.create_scalar_function(name, 2, flags, move |context| Ok(trimmed(context, start, end)))?;
    }
    Ok(())
}

/// `instr(X, Y)`: where `Y` first is in `X`, from 1, in characters, or in bytes if both are blobs; 0 if nowhere.
fn position(context: &Context<'_>) -> Option<i64> {
    if let (ValueRef::Blob(whole), ValueRef::Blob(part)) = (context.get_raw(0), context.get_raw(1)) {
        return Some(memmem::find(whole, part).map_or(0, |at| at as i64 + 1));
    }
    let (whole, part) = (text(context, 0)?, text(context, 1)?);
    let before = memmem::find(whole.as_bytes(), part.as_bytes()).and_then(|at| whole.get(..at));
    Some(before.map_or(0, |before| before.chars().count() as i64 + 1))
}

/// `replace(X, Y, Z)`: `X` with each `Y` in it replaced by `Z`.
fn replaced(context: &Context<'_>, longest: usize) -> sqlite::Result<Option<String>> {
    let (Some(whole), Some(from), Some(to)) = (text(context, 0), text(context, 1), text(context, 2)) else {
        return Ok(None);
    };
    if from.is_empty() {
        return Ok(Some(whole.into_owned()));
    }
    let found = memmem::find_iter(whole.as_bytes(), from.as_bytes()).count();
    let length = (whole.len() - found * from.len()).saturating_add(found.saturating_mul(to.len()));
    if length > longest {
        return Err(sqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_TOOBIG), None));
    }
    Ok(Some(whole.replace(from.as_ref(), &to)))
}

/// `trim(X, Y)`: `X` without the characters at its ends that are in `Y`.
fn trimmed(context: &Context<'_>, start: bool, end: bool) -> Option<String> {
    let (whole, unwanted) = (text(context, 0)?, text(context, 1)?);
    let unwanted: HashSet<char> = unwanted.chars().collect();
    let mut rest: &str = &whole;
    if start {
        rest = rest.trim_start_matches(|character| unwanted.contains(&character));
    }
    if end {
        rest = rest.trim_end_matches(|character| unwanted.contains(&character));
    }
    Some(rest.to_owned())
}

/// An argument as text; `None` where it is NULL.
fn text<'a>(context: &'a Context<'_>, argument: usize) -> Option<Cow<'a, str>> {
    match context.get_raw(argument) {
        ValueRef::Null => None,
        ValueRef::Integer(value) => Some(Cow::Owned(value.to_string())),
        ValueRef::Real(value) => Some(Cow::Owned(format!("{value:?}"))),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes)),
    }
}

//! drizzle: files of SQL, in the order of a journal.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "drizzle",
    mark: Some("> statement-breakpoint"),
    files: &["meta/_journal.json"],
    ..PLAIN
};

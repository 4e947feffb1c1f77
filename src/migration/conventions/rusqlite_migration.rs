//! `rusqlite_migration`: a list of texts in Rust, each perhaps with one that undoes it.

use crate::migration::convention::{Convention, InCode, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "rusqlite_migration",
    words: &["rusqlite_migration"],
    in_code: InCode::Handed("up"),
    undoes: |levels| levels.first().is_some_and(|level| level.calls("down")),
    ..PLAIN
};

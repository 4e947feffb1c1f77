//! `rusqlite_migration`: a list of texts in Rust, each perhaps with one that undoes it.

use crate::migration::convention::{Convention, InCode, PLAIN};
use crate::migration::reversals::levels;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "rusqlite_migration",
    words: &["rusqlite_migration"],
    in_code: InCode::Handed("up"),
    undoes: |code| levels(code).first().is_some_and(|level| level.calls("down")),
    ..PLAIN
};

//! Rails: schema.rb or structure.sql is what a new database is made with; migrations in Ruby lead there.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Rails",
    ..PLAIN
};

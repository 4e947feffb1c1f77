//! Room: a file of JSON for each version of the schema, and classes that lead from one to another.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Room",
    ..PLAIN
};

//! tern: numbered files in which a line parts what leads forward from what leads back.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "tern",
    leads_back: |comment| comment.starts_with("-- create above / drop below"),
    ..PLAIN
};

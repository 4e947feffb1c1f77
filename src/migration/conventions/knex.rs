//! knex: modules with a function up and one down; of what they do, raw SQL is read.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "knex", ..PLAIN };

//! A file that makes the schema of a new database, beside the migrations of older ones: as all of them leave it, as
//! those up to a version do that is recorded, or for a comparison alone. Which of them is settled by what SQLite says of the
//! migrations on top of it.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "a snapshot", ..PLAIN };

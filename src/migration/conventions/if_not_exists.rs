//! `CREATE … IF NOT EXISTS` whenever a database is opened, without a version.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "made where it is missing", ..PLAIN };

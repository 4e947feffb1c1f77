//! `SQLiteOpenHelper` of Android: one method that creates a new database, another that upgrades one.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "SQLiteOpenHelper", ..PLAIN };

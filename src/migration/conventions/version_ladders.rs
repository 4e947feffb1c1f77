//! Code that compares the version of a database with numbers, or functions and files with numbers in their names.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "a ladder of versions", ..PLAIN };

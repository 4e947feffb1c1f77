//! Steps that hand themselves in by number, each in a file of its own, and functions that a list names in their turn.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "steps that register themselves", ..PLAIN };

//! A folder of numbered files, which the program runs itself.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention =
    Convention { name: "numbered files", leads_back: |comment| comment == "rollback", ..PLAIN };

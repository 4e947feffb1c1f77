//! sqlx: a folder of numbered files, each perhaps a pair with .up.sql and .down.sql.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention =
    Convention { name: "sqlx", words: &["sqlx::migrate", "migrate!(\"", "migrate!()"], ..PLAIN };

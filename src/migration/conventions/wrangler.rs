//! wrangler, for D1: a folder of numbered files, `migrations` unless its settings name another.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "wrangler",
    files: &["wrangler.toml", "wrangler.json", "wrangler.jsonc"],
    own_tables: &[(
        "d1_migrations",
        "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at \
         TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
    )],
    ..PLAIN
};

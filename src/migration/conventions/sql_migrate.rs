//! sql-migrate: files of SQL with marks.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "sql-migrate",
    mark: Some("+migrate up"),
    parts: Some(("-- +migrate Up", "-- +migrate Down")),
    words: &["rubenv/sql-migrate"],
    opts_out: |comment| comment.starts_with("+migrate up") && comment.contains("notransaction"),
    leads_back: |comment| comment.starts_with("+migrate down"),
    own_tables: &[(
        "gorp_migrations",
        "CREATE TABLE gorp_migrations (id varchar(255) NOT NULL PRIMARY KEY, applied_at datetime)",
    )],
    ..PLAIN
};

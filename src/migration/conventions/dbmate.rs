//! dbmate: files of SQL with marks; it keeps a dump of the schema, from which it makes nothing unless it is told to.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "dbmate",
    mark: Some("migrate:up"),
    parts: Some(("-- migrate:up", "-- migrate:down")),
    words: &["amacneil/dbmate"],
    opts_out: |comment| comment.starts_with("migrate:up") && comment.contains("transaction:false"),
    leads_back: |comment| comment.starts_with("migrate:down"),
    own_tables: &[("schema_migrations", "CREATE TABLE schema_migrations (version varchar(128) PRIMARY KEY)")],
    ..PLAIN
};

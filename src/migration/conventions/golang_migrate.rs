//! golang-migrate: pairs of numbered files, .up.sql and .down.sql.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "golang-migrate",
    words: &["migrate/v4/database/sqlite", "migrate/database/sqlite"],
    without: &[("NoTxWrap:", "true"), ("x-no-tx-wrap=", "true")],
    own_tables: &[("schema_migrations", "CREATE TABLE schema_migrations (version uint64, dirty bool)")],
    ..PLAIN
};

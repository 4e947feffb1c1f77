//! sqlx: a folder of numbered files, each perhaps a pair with .up.sql and .down.sql.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "sqlx",
    words: &["sqlx::migrate", "migrate!(\"", "migrate!()"],
    own_tables: &[(
        "_sqlx_migrations",
        "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
         installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, checksum \
         BLOB NOT NULL, execution_time BIGINT NOT NULL)",
    )],
    ..PLAIN
};

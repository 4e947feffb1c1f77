//! diesel: a folder for each migration, with up.sql and down.sql.

use crate::migration::convention::{Convention, PLAIN, Place};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "diesel",
    words: &["diesel_migrations"],
    files: &["diesel.toml"],
    place: |path| Place::of_folder(path, "up.sql"),
    own_tables: &[(
        "__diesel_schema_migrations",
        "CREATE TABLE __diesel_schema_migrations (version VARCHAR(50) PRIMARY KEY NOT NULL, run_on \
         TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)",
    )],
    ..PLAIN
};

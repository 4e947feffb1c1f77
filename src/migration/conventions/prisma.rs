//! Prisma: a folder for each migration, with migration.sql.

use crate::migration::convention::{Convention, PLAIN, Place};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Prisma",
    wraps: false,
    files: &["migration_lock.toml"],
    place: |path| Place::of_folder(path, "migration.sql"),
    own_tables: &[(
        "_prisma_migrations",
        "CREATE TABLE _prisma_migrations (id TEXT PRIMARY KEY NOT NULL, checksum TEXT NOT NULL, \
         finished_at DATETIME, migration_name TEXT NOT NULL, logs TEXT, rolled_back_at DATETIME, \
         started_at DATETIME NOT NULL DEFAULT current_timestamp, applied_steps_count INTEGER UNSIGNED \
         NOT NULL DEFAULT 0)",
    )],
    ..PLAIN
};

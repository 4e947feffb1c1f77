//! Prisma: a folder for each migration, with migration.sql.

use crate::migration::convention::{Convention, PLAIN, Place};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Prisma",
    wraps: false,
    files: &["migration_lock.toml"],
    place: |path| Place::of_folder(path, "migration.sql"),
    ..PLAIN
};

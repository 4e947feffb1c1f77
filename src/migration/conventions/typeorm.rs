//! `TypeORM`: classes with a method up and one down, which call `queryRunner.query`.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "TypeORM", ..PLAIN };

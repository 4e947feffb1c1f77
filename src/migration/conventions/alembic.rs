//! Alembic: files of Python, each of which names the one before it.

use crate::migration::convention::{Convention, InCode, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Alembic",
    wraps: false,
    words: &["from alembic", "import alembic"],
    in_code: InCode::All,
    files: &["alembic.ini"],
    ..PLAIN
};

//! yoyo: files of SQL or of Python, in which each step has perhaps a second text that undoes it.

use crate::migration::convention::{Convention, InCode, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "yoyo",
    words: &["from yoyo", "import yoyo"],
    in_code: InCode::All,
    files: &["yoyo.ini"],
    without: &[("__transactional__ =", "False")],
    opts_out: |comment| comment.starts_with("transactional:") && comment.ends_with("false"),
    undoes: |levels| {
        levels
            .first()
            .is_some_and(|level| level.calls("step") && (level.index() == 1 || level.is_given("rollback")))
    },
    own_tables: &[(
        "_yoyo_migration",
        "CREATE TABLE _yoyo_migration (migration_hash VARCHAR(64), migration_id VARCHAR(255), \
         applied_at_utc TIMESTAMP, PRIMARY KEY (migration_hash))",
    )],
    ..PLAIN
};

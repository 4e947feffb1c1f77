//! bun: functions of Go that are registered in pairs, up and down: <https://bun.uptrace.dev/guide/migrations.html>.

use crate::migration::convention::{Convention, InCode, PLAIN};
use crate::migration::levels::Level;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "bun",
    wraps: false,
    words: &["uptrace/bun/migrate"],
    in_code: InCode::Handed(""),
    undoes,
    own_tables: &[(
        "bun_migrations",
        "CREATE TABLE bun_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR, group_id INTEGER, \
         migrated_at TIMESTAMP NOT NULL DEFAULT current_timestamp)",
    )],
    ..PLAIN
};

/// Whether a text stands in the second function of those that are registered in a pair, or in one that is kept under that name
/// until they are: `down := func(…) error {`.
fn undoes(levels: &[Level<'_>]) -> bool {
    let is_registered = |level: &Level<'_>| {
        let before = level.head().strip_suffix(level.name()).and_then(|head| head.strip_suffix('.'));
        matches!(level.name(), "Register" | "MustRegister")
            && level.index() == 1
            && before.is_some_and(|before| before.to_ascii_lowercase().ends_with("migrations"))
    };
    let is_kept = |level: &Level<'_>| {
        let line = level.head().rsplit('\n').next().unwrap_or("").trim_start();
        level.sign() == b'{' && line.starts_with("down := func(")
    };
    levels.iter().any(|level| is_registered(level) || is_kept(level))
}

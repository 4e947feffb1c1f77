//! Flyway: files named with a version, `V1.2__x.sql`, those that undo one, `U1.2__x.sql`, and those that run behind all
//! others when they have changed, `R__x.sql`.

use crate::extract::sql::contains_word;
use crate::migration::convention::{Convention, PLAIN};
use crate::migration::files::prefixed;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Flyway",
    files: &["flyway.conf", "flyway.toml"],
    outside: sets_foreign_keys,
    is_named: |path| prefixed(path, 'V').is_some(),
    version,
    is_last: |path| path.rsplit('/').next().is_some_and(|file| file.starts_with("R__")),
    own_tables: &[(
        "flyway_schema_history",
        "CREATE TABLE flyway_schema_history (installed_rank INT NOT NULL PRIMARY KEY, version \
         VARCHAR(50), description VARCHAR(200) NOT NULL, type VARCHAR(20) NOT NULL, script VARCHAR(1000) \
         NOT NULL, checksum INT, installed_by VARCHAR(100) NOT NULL, installed_on TEXT NOT NULL DEFAULT \
         (strftime('%Y-%m-%d %H:%M:%f', 'now')), execution_time INT NOT NULL, success BOOLEAN NOT NULL)",
    )],
    ..PLAIN
};

/// Whether a text holds a pragma that has no effect in a transaction.
fn sets_foreign_keys(sql: &str) -> bool {
    contains_word(sql, "pragma") && contains_word(sql, "foreign_keys")
}

/// The parts of the version: `V1.2__x.sql` and `V1_2__x.sql` have two.
fn version(path: &str) -> Option<Vec<u64>> {
    prefixed(path, 'V')?.split(['.', '_']).map(|part| part.parse().ok()).collect()
}

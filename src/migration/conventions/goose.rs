//! goose: files of SQL with marks, and functions of Go that are registered in pairs, up and down.

use crate::migration::convention::{Convention, InCode, PLAIN};
use crate::migration::levels::Level;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "goose",
    mark: Some("+goose up"),
    parts: Some(("-- +goose Up", "-- +goose Down")),
    words: &["pressly/goose"],
    in_code: InCode::Handed(""),
    without: &[("MigrationNoTx", "")],
    opts_out: |comment| comment == "+goose no transaction",
    leads_back: |comment| comment.starts_with("+goose down"),
    undoes,
    own_tables: &[(
        "goose_db_version",
        "CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT \
         NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))",
    )],
    ..PLAIN
};

/// Whether a text stands in the second function of those that are registered in a pair.
fn undoes(levels: &[Level<'_>]) -> bool {
    levels.iter().any(|level| match level.name() {
        name if name.starts_with("AddMigration") => level.index() == 1,
        name if name.starts_with("AddNamedMigration") => level.index() == 2,
        _ => false,
    })
}

//! What the steps should come to; the tests hold them against it.

/// Where ships lie. [`TABLE_SHIPS`] refers to it.
pub(super) const TABLE_HARBOURS: &str =
    "CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL, depth INTEGER)";

pub(super) const TABLE_SHIPS: &str =
    "CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL REFERENCES harbours (id))";

pub(super) const INDEX_SHIPS_HARBOUR: &str = "CREATE INDEX ships_harbour ON ships (harbour)";

/// A step runs this, as the name says.
pub(super) const VIEW_DEEP: &str = "CREATE VIEW deep AS SELECT id, name FROM harbours WHERE depth > 20";

pub(super) fn view_deep(depth: u32) -> String {
    format!("CREATE VIEW deep AS SELECT id, name FROM harbours WHERE depth > {depth}")
}

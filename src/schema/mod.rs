//! The door to SQLite.

pub use rusqlite as sqlite;

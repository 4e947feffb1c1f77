//! Which SQLite judges: its version, and what it was built with. Two of one version may differ in what they plan.

use super::{open_in_memory, sqlite};

/// The version of the SQLite that judges.
pub fn sqlite_version() -> &'static str {
    sqlite::version()
}

/// What it was built with, as SQLite lists it; empty where it does not say.
pub fn sqlite_options() -> Vec<String> {
    let ask = || {
        let connection = open_in_memory(sqlite::OpenFlags::default())?;
        let mut listed = connection.prepare("PRAGMA compile_options")?;
        listed.query_map([], |row| row.get(0))?.collect::<sqlite::Result<_>>()
    };
    ask().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_is_among_the_options() {
        assert!(sqlite_options().iter().any(|option| option.starts_with("COMPILER=")));
    }
}

//! The schema of a file as a database in memory, with the statistics of the file: so plans are those that the program gets
//! on it. Rows are not copied.

use super::{Entry, Statistics};
use crate::schema::{
    Live, SchemaError, Settings, counters,
    guard::{Mode, schemas},
    statements,
    variant::add_missing,
};

/// Makes a copy in memory of what the catalogue of a file holds. Gives it with the names of what this SQLite refuses, each
/// with the reason.
///
/// # Errors
/// SQLite has no memory left.
pub fn in_memory(
    catalogue: &[Entry],
    statistics: &Statistics,
    settings: &Settings,
) -> Result<(Live, Vec<(String, String)>), SchemaError> {
    let mut live = Live::open(settings)?;
    let mut refused = Vec::new();
    // A virtual table makes the tables that it keeps its rows in.
    let is_virtual = |entry: &&Entry| {
        let sql = entry.sql.as_deref().unwrap_or_default();
        sql.get(..14).is_some_and(|head| head.eq_ignore_ascii_case("CREATE VIRTUAL"))
    };
    let tables = || catalogue.iter().filter(|entry| entry.kind == "table");
    let order = tables()
        .filter(is_virtual)
        .chain(tables().filter(|entry| !is_virtual(entry)))
        .chain(catalogue.iter().filter(|entry| entry.kind == "index"))
        .chain(catalogue.iter().filter(|entry| entry.kind == "view"))
        .chain(catalogue.iter().filter(|entry| entry.kind == "trigger"));
    for entry in order.filter(|entry| !entry.name.starts_with("sqlite_")) {
        // SQLite reads the first statement alone.
        let Some(text) = &entry.sql else { continue };
        let Some(sql) = statements(text).next().and_then(|(start, end)| text.get(start..end)) else {
            continue;
        };
        if entry.kind == "table" && live.has_table(&entry.name) {
            continue;
        }
        let mut tries = 0..8;
        while let Some(refusal) = live.apply(sql).into_iter().find_map(|one| one.outcome.err()) {
            // What the program registers is not in the file.
            if tries.next().is_none() || !add_missing(&mut live, &refusal) {
                refused.push((entry.name.clone(), refusal.message));
                break;
            }
        }
    }
    live.put_statistics(statistics)?;
    Ok((live, refused))
}

impl Live {
    /// Makes temporary tables, and what is attached, as another database has them: the program brings them along.
    ///
    /// # Errors
    /// SQLite has no memory left.
    pub fn take_what_is_beside(&mut self, of: &Self) -> Result<(), SchemaError> {
        of.guard.begin(Mode::Own);
        let attached =
            schemas(&of.connection).into_iter().filter(|schema| schema != "main" && schema != "temp");
        for schema in attached {
            let data = counters::content(&of.connection, &schema, <[u8]>::to_vec)?;
            self.guard.begin(Mode::Own);
            // Of one that is empty there is nothing to copy.
            if !data.is_empty() {
                self.load(&schema, &data)?;
            }
        }
        for sql in of.temporary_objects()? {
            self.apply(&sql);
        }
        self.forget();
        Ok(())
    }

    /// What the migrations keep by PRAGMA `user_version`.
    ///
    /// # Errors
    /// SQLite has no memory left.
    pub fn user_version(&self) -> Result<i32, SchemaError> {
        self.guard.begin(Mode::Own);
        Ok(self.connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
    }

    fn has_table(&self, name: &str) -> bool {
        self.guard.begin(Mode::Own);
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE";
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.exists([name]))
            .unwrap_or(false)
    }
}

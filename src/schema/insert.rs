//! Puts many rows into tables, a transaction at a time, and counts the pages that it writes. What is put in, and why, the
//! caller knows.

use super::counters::content;
use super::guard::Mode;
use super::run::differing;
use super::{Live, SchemaError, sqlite};
use sqlite::types::Value;
use std::ops::Range;

impl Live {
    /// Puts rows in by several INSERTs of the linter's own, each of which gets the values of its number and of the row, in
    /// one transaction. Gives the pages of `main` that came out other than they were, where they are counted: for that, all
    /// are copied twice.
    ///
    /// # Errors
    ///
    /// SQLite refuses a row, or has no room for it.
    pub fn insert_all(
        &mut self,
        inserts: &[String],
        rows: Range<u64>,
        values: &dyn Fn(usize, u64) -> Vec<Value>,
        is_counted: bool,
    ) -> Result<Option<u64>, SchemaError> {
        self.guard.begin(Mode::Own);
        let before = if is_counted { Some(content(&self.connection, "main", <[u8]>::to_vec)?) } else { None };
        self.connection.execute_batch("BEGIN")?;
        let put = || -> sqlite::Result<()> {
            for row in rows {
                for (at, insert) in inserts.iter().enumerate() {
                    let mut statement = self.connection.prepare_cached(insert)?;
                    statement.execute(sqlite::params_from_iter(values(at, row)))?;
                }
            }
            Ok(())
        };
        let done = put();
        let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
        self.connection.execute_batch(end)?;
        done?;
        let count = |before: Vec<u8>| content(&self.connection, "main", |after| differing(&before, after));
        Ok(before.map(count).transpose()?)
    }
}

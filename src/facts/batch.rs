//! Rows on their way into a table, many at a time: a statement that inserts one row costs more than the row. Knows
//! neither the tables nor what is in them.

use super::{FactsError, sqlite};
use sqlite::types::{ToSqlOutput, Value};
use sqlite::{Connection, ToSql};

/// Rows of one statement.
const ROWS: usize = 48;

/// Rows that wait to be inserted, from [`super::Facts::batch`].
pub struct Batch<'facts, const N: usize> {
    connection: &'facts Connection,
    /// What the statement begins with, up to its VALUES.
    head: String,
    /// The id of the row that comes next.
    next: i64,
    waiting: Vec<Value>,
}

impl<'facts, const N: usize> Batch<'facts, N> {
    pub(super) fn new(
        connection: &'facts Connection,
        table: &str,
        columns: [&str; N],
    ) -> Result<Self, FactsError> {
        let last = format!("SELECT coalesce(max(rowid), 0) FROM \"{table}\"");
        let last: i64 = connection.query_row(&last, [], |row| row.get(0))?;
        let names = columns.map(|column| format!(", \"{column}\"")).concat();
        let head = format!("INSERT INTO \"{table}\" (rowid{names}) VALUES ");
        Ok(Self { connection, head, next: last + 1, waiting: Vec::with_capacity(ROWS * (N + 1)) })
    }

    /// Inserts a row, with values in the order of the columns, now or later, and returns its id.
    ///
    /// # Errors
    /// Where a value of this row, or of one before it, breaks the contract.
    pub fn insert(&mut self, values: [&dyn ToSql; N]) -> Result<i64, FactsError> {
        let row = self.next;
        self.next += 1;
        self.waiting.push(Value::Integer(row));
        for value in values {
            self.waiting.push(match value.to_sql()? {
                ToSqlOutput::Borrowed(value) => value.try_into().map_err(sqlite::Error::from)?,
                ToSqlOutput::Owned(value) => value,
                _ => Value::Null,
            });
        }
        if self.waiting.len() >= ROWS * (N + 1) {
            self.flush()?;
        }
        Ok(row)
    }

    /// Inserts what waits.
    ///
    /// # Errors
    /// Where a value breaks the contract.
    pub fn finish(mut self) -> Result<(), FactsError> {
        self.flush()
    }

    pub(super) fn flush(&mut self) -> Result<(), FactsError> {
        let rows = self.waiting.len() / (N + 1);
        if rows > 0 {
            let row = format!("({}?)", "?, ".repeat(N));
            let sql = format!("{}{}", self.head, vec![row; rows].join(", "));
            self.connection.prepare_cached(&sql)?.execute(sqlite::params_from_iter(self.waiting.iter()))?;
            self.waiting.clear();
        }
        Ok(())
    }
}

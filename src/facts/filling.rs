//! Facts on their way into their tables, many rows of a table at a time: a statement that inserts one row costs more than
//! the row. Who finds the facts goes on while they are inserted elsewhere. Knows neither the tables nor what is in them.

use super::{Facts, FactsError, sqlite};
use rustc_hash::FxHashMap;
use sqlite::ToSql;
use sqlite::types::{ToSqlOutput, Value};
use std::sync::{
    Arc,
    mpsc::{Receiver, Sender},
};

/// Rows of one statement.
const ROWS: usize = 48;

/// Rows to be inserted by one statement.
pub(super) struct Insertion {
    sql: Arc<str>,
    values: Vec<Value>,
}

/// The end where rows are put in. They are numbered here, each table from 1, and so nobody else inserts into it.
pub(super) struct Filling {
    insertions: Sender<Insertion>,
    tables: FxHashMap<&'static str, Waiting>,
    /// The first value that was none.
    failure: Option<FactsError>,
}

/// The rows of a table that wait to be inserted.
#[derive(Default)]
struct Waiting {
    columns: Vec<&'static str>,
    /// The statement that inserts as many as are inserted at once.
    sql: Arc<str>,
    /// The id of the last row.
    last: i64,
    values: Vec<Value>,
}

impl Filling {
    pub fn new(insertions: Sender<Insertion>) -> Self {
        Self { insertions, tables: FxHashMap::default(), failure: None }
    }

    /// Adds a row, given as columns with their values, and returns its id.
    pub fn insert<const N: usize>(
        &mut self,
        table: &'static str,
        row: [(&'static str, &dyn ToSql); N],
    ) -> i64 {
        let columns = row.map(|(column, _)| column);
        let waiting = self.tables.entry(table).or_default();
        if waiting.columns != columns {
            waiting.flush(table, &self.insertions);
            waiting.columns = columns.to_vec();
            waiting.sql = insertion(table, &columns, ROWS).into();
        }
        waiting.last += 1;
        waiting.values.push(Value::Integer(waiting.last));
        for (_, value) in row {
            let value = owned(value).unwrap_or_else(|error| {
                self.failure.get_or_insert(error.into());
                Value::Null
            });
            waiting.values.push(value);
        }
        let id = waiting.last;
        if waiting.values.len() == ROWS * (N + 1) {
            waiting.flush(table, &self.insertions);
        }
        id
    }

    /// Ends the filling.
    ///
    /// # Errors
    /// Where a value is one that SQLite does not know.
    pub fn finish(mut self) -> Result<(), FactsError> {
        for (table, waiting) in &mut self.tables {
            waiting.flush(table, &self.insertions);
        }
        self.failure.map_or(Ok(()), Err)
    }
}

impl Waiting {
    fn flush(&mut self, table: &str, insertions: &Sender<Insertion>) {
        let rows = self.values.len() / (self.columns.len() + 1);
        let sql = match rows {
            0 => return,
            ROWS => Arc::clone(&self.sql),
            _ => insertion(table, &self.columns, rows).into(),
        };
        let room = Vec::with_capacity(self.values.len());
        let values = std::mem::replace(&mut self.values, room);
        // Where nobody takes them, an earlier one failed, which is told there.
        let _ = insertions.send(Insertion { sql, values });
    }
}

impl Facts {
    /// The rows that come until no more can come, frozen.
    ///
    /// # Errors
    /// Where a value breaks the contract.
    pub(super) fn of(insertions: Receiver<Insertion>) -> Result<Self, FactsError> {
        let facts = Self::new()?;
        for Insertion { sql, values } in insertions {
            facts.connection.prepare_cached(&sql)?.execute(sqlite::params_from_iter(values))?;
        }
        facts.freeze()?;
        Ok(facts)
    }
}

/// A statement that inserts rows of these columns, with an id in front of each.
fn insertion(table: &str, columns: &[&str], rows: usize) -> String {
    let names: String = columns.iter().flat_map(|column| [", \"", column, "\""]).collect();
    let row = format!("({}?)", "?, ".repeat(columns.len()));
    format!("INSERT INTO \"{table}\" (rowid{names}) VALUES {}", vec![row; rows].join(", "))
}

fn owned(value: &dyn ToSql) -> Result<Value, sqlite::Error> {
    Ok(match value.to_sql()? {
        ToSqlOutput::Borrowed(value) => value.try_into()?,
        ToSqlOutput::Owned(value) => value,
        _ => Value::Null,
    })
}

//! Facts on their way into their tables, many rows of a table at a time: a statement that inserts one row costs more than
//! the row. Who finds the facts goes on while they are inserted elsewhere. Knows neither the tables nor what is in them.

use super::{Facts, FactsError, sqlite};
use rustc_hash::FxHashMap;
use sqlite::types::{ToSqlOutput, Value};
use sqlite::{Statement, ToSql};
use std::{
    collections::hash_map::Entry,
    sync::{
        Arc,
        mpsc::{Receiver, Sender},
    },
};

/// Rows of one statement.
const ROWS: usize = 16;

/// Rows to be inserted.
pub(super) struct Insertion {
    into: Arc<Columns>,
    values: Vec<Value>,
}

/// The columns of a table that are filled.
#[derive(Default)]
struct Columns {
    /// Tells them from all others.
    number: usize,
    table: &'static str,
    names: Vec<&'static str>,
}

/// The end where rows are put in. They are numbered here, each table from 1, and so nobody else inserts into it.
pub(super) struct Filling {
    insertions: Sender<Insertion>,
    tables: FxHashMap<&'static str, Waiting>,
    /// How many tables were given columns, or others than before.
    shapes: usize,
    /// The first value that was none.
    failure: Option<FactsError>,
}

/// The rows of a table that wait to be inserted.
#[derive(Default)]
struct Waiting {
    columns: Arc<Columns>,
    /// The id of the last row.
    last: i64,
    values: Vec<Value>,
}

impl Filling {
    pub fn new(insertions: Sender<Insertion>) -> Self {
        Self { insertions, tables: FxHashMap::default(), shapes: 0, failure: None }
    }

    /// Adds a row, given as columns with their values, and returns its id.
    pub fn insert<const N: usize>(
        &mut self,
        table: &'static str,
        row: [(&'static str, &dyn ToSql); N],
    ) -> i64 {
        let names = row.map(|(column, _)| column);
        let waiting = self.tables.entry(table).or_default();
        if waiting.columns.names != names {
            waiting.flush(&self.insertions);
            self.shapes += 1;
            waiting.columns = Arc::new(Columns { number: self.shapes, table, names: names.to_vec() });
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
            waiting.flush(&self.insertions);
        }
        id
    }

    /// Ends the filling.
    ///
    /// # Errors
    /// Where a value is one that SQLite does not know.
    pub fn finish(mut self) -> Result<(), FactsError> {
        self.tables.values_mut().for_each(|waiting| waiting.flush(&self.insertions));
        self.failure.map_or(Ok(()), Err)
    }
}

impl Waiting {
    fn flush(&mut self, insertions: &Sender<Insertion>) {
        if self.values.is_empty() {
            return;
        }
        let room = Vec::with_capacity(self.values.len());
        let values = std::mem::replace(&mut self.values, room);
        // Where nobody takes them, an earlier one failed, which is told there.
        let _ = insertions.send(Insertion { into: Arc::clone(&self.columns), values });
    }
}

impl Facts {
    /// The rows that come until no more can come, frozen.
    ///
    /// # Errors
    /// Where a value breaks the contract.
    pub(super) fn of(insertions: Receiver<Insertion>) -> Result<Self, FactsError> {
        let facts = Self::new()?;
        let mut whole: FxHashMap<usize, Statement<'_>> = FxHashMap::default();
        for Insertion { into, values } in insertions {
            let rows = values.len() / (into.names.len() + 1);
            let prepare = || facts.connection.prepare(&into.insertion(rows));
            let values = sqlite::params_from_iter(values);
            if rows < ROWS {
                prepare()?.execute(values)?;
                continue;
            }
            match whole.entry(into.number) {
                Entry::Occupied(mut known) => known.get_mut().execute(values)?,
                Entry::Vacant(place) => place.insert(prepare()?).execute(values)?,
            };
        }
        drop(whole);
        facts.freeze()?;
        Ok(facts)
    }
}

impl Columns {
    /// A statement that inserts rows, with an id in front of each.
    fn insertion(&self, rows: usize) -> String {
        let names: String = self.names.iter().flat_map(|name| [", \"", name, "\""]).collect();
        let row = format!("({}?)", "?, ".repeat(self.names.len()));
        format!("INSERT INTO \"{}\" (rowid{names}) VALUES {}", self.table, vec![row; rows].join(", "))
    }
}

fn owned(value: &dyn ToSql) -> Result<Value, sqlite::Error> {
    Ok(match value.to_sql()? {
        ToSqlOutput::Borrowed(value) => value.try_into()?,
        ToSqlOutput::Owned(value) => value,
        _ => Value::Null,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn rows_keep_their_ids_whichever_columns_they_fill() {
        let (insertions, inserted) = mpsc::channel();
        let mut filling = Filling::new(insertions);
        let count = 3 * ROWS as i64 + 1;
        for number in 1..=count {
            let text = number.to_string();
            let id = if number % 20 == 0 {
                filling.insert("guess", [("text", &text), ("site", &number)])
            } else {
                filling.insert("guess", [("text", &text)])
            };
            assert_eq!(id, number);
        }
        filling.finish().unwrap();
        let facts = Facts::of(inserted).unwrap();
        let sql = "SELECT count(*), sum(rowid = text), sum(site = rowid) FROM guess";
        let found = facts.connection().query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        assert_eq!(found, Ok((count, count, Some(2))));
    }

    #[test]
    fn a_value_that_sqlite_does_not_know_fails_at_the_end() {
        let (insertions, inserted) = mpsc::channel();
        let mut filling = Filling::new(insertions);
        filling.insert("guess", [("text", &u64::MAX)]);
        assert!(filling.finish().is_err());
        drop(inserted);
    }
}

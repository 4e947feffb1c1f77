//! Everything known of a program, as rows of an in-memory SQLite database: what rules query, and what
//! `planlint facts` writes out. Knows the tables; knows neither what fills them nor what the rules ask.
//!
//! `schema.sql` is the contract, `vocabulary.sql` gives rules their words. Both are public: they are documented in
//! place, and the reference for writers of rules is generated from them.

mod filling;
pub mod gather;
mod kept;
mod write;

use crate::schema::{self, sqlite};
use sqlite::{CachedStatement, Connection, ToSql};
use thiserror::Error;

/// The tables: the contract with rules, and with whoever reads the facts by another SQLite client.
pub const SCHEMA: &str = include_str!("schema.sql");

/// The views that give rules their words.
pub const VOCABULARY: &str = include_str!("vocabulary.sql");

const INDEXES: &str = include_str!("indexes.sql");

/// What can go wrong with facts: all of it is a fault of planlint or of the system, and none of the user's.
#[derive(Debug, Error)]
pub enum FactsError {
    /// SQLite would not take a row, or could not make the database.
    #[error("facts: {0}")]
    Sqlite(#[from] sqlite::Error),
    /// The facts could not be written to a file.
    #[error("facts could not be written to {path}: {reason}")]
    Write {
        /// The file.
        path: String,
        /// What the system or SQLite said.
        reason: String,
    },
}

/// The facts of one run.
///
/// They are filled first and read afterwards; [`Facts::freeze`] stands between the two.
#[derive(Debug)]
pub struct Facts {
    connection: Connection,
    /// Another one, which reads alone.
    reader: Connection,
    /// The name is its address, so that it goes last.
    _own: Box<u8>,
}

impl Facts {
    /// An empty database of facts, ready to be filled.
    ///
    /// # Errors
    /// Where SQLite has no memory left.
    pub fn new() -> Result<Self, FactsError> {
        // Two connections find one database in memory by its name, and no other facts have that while these are there.
        let own = Box::new(0);
        let name = format!("facts-{own:p}");
        let connection = schema::open_named(&name)?;
        // Rows refer to others that come later, and nothing is ever rolled back. Both are checked by tests instead.
        connection.execute_batch(
            "PRAGMA foreign_keys = OFF; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;",
        )?;
        // A word outside its vocabulary is a slip of planlint's own, which its tests find.
        connection.pragma_update(None, "ignore_check_constraints", !cfg!(debug_assertions))?;
        // One for each table, and some to spare: `insert` would prepare its statement anew again and again.
        connection.set_prepared_statement_cache_capacity(128);
        connection.execute_batch("BEGIN")?;
        connection.execute_batch(SCHEMA)?;
        connection.execute_batch(INDEXES)?;
        connection.execute_batch("COMMIT")?;
        kept::create(&connection)?;
        let reader = schema::open_named(&name)?;
        // It reads what tables there are, which takes it a while, before anybody waits for it.
        reader.execute_batch("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; SELECT 1 FROM source")?;
        connection.execute_batch("BEGIN")?;
        Ok(Self { connection, reader, _own: own })
    }

    /// A prepared insertion into these columns of a table, for the tables with many rows.
    ///
    /// # Errors
    /// Where there is no such table or column.
    pub fn table<const N: usize>(&self, table: &str, columns: [&str; N]) -> Result<Table<'_, N>, FactsError> {
        Ok(Table { statement: self.connection.prepare_cached(&insertion(table, &columns))? })
    }

    /// Inserts one row, given as columns with their values, and returns its id.
    ///
    /// # Errors
    /// Where there is no such table or column, or a value breaks the contract.
    pub fn insert<const N: usize>(
        &self,
        table: &str,
        row: [(&str, &dyn ToSql); N],
    ) -> Result<i64, FactsError> {
        let sql = insertion(table, &row.map(|(column, _)| column));
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.insert(row.map(|(_, value)| value).as_slice())?)
    }

    /// Ends the filling: fills the tables that rules see in the place of views, and refuses further rows.
    ///
    /// # Errors
    /// Where SQLite has no memory left.
    pub fn freeze(&self) -> Result<(), FactsError> {
        kept::fill(&self.connection)?;
        self.connection.execute_batch("COMMIT")?;
        Ok(self.connection.execute_batch("PRAGMA query_only = ON")?)
    }

    /// Runs `fill` on facts that are frozen already: for the findings of the first stage, which the second reads.
    ///
    /// # Errors
    /// Those of `fill`, and those of SQLite.
    pub fn add(&self, fill: impl FnOnce(&Self) -> Result<(), FactsError>) -> Result<(), FactsError> {
        self.connection.execute_batch("PRAGMA query_only = OFF; BEGIN")?;
        let filled = fill(self);
        self.connection.execute_batch("COMMIT; PRAGMA query_only = ON")?;
        filled
    }

    /// The database itself and another connection to it, for two that query it at the same time, once it is frozen.
    pub fn both_mut(&mut self) -> (&mut Connection, &mut Connection) {
        (&mut self.connection, &mut self.reader)
    }

    /// The database itself, for those who watch over queries.
    pub fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// The database itself, for queries.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }
}

/// A prepared insertion into one table, from [`Facts::table`]. The number of values is checked by the compiler.
pub struct Table<'facts, const N: usize> {
    statement: CachedStatement<'facts>,
}

impl<const N: usize> Table<'_, N> {
    /// Inserts a row, with values in the order of the columns, and returns its id.
    ///
    /// # Errors
    /// Where a value breaks the contract: a word outside its vocabulary, or NULL where something must stand.
    pub fn insert(&mut self, values: [&dyn ToSql; N]) -> Result<i64, FactsError> {
        Ok(self.statement.insert(values.as_slice())?)
    }
}

fn insertion(table: &str, columns: &[&str]) -> String {
    // It is made for each row of some tables, so that it is put together in one piece.
    let mut sql = String::with_capacity(40 + table.len() + columns.len() * 20);
    for part in ["INSERT INTO \"", table, "\" ("] {
        sql.push_str(part);
    }
    for (number, column) in columns.iter().enumerate() {
        for part in [if number == 0 { "\"" } else { ", \"" }, column, "\""] {
            sql.push_str(part);
        }
    }
    sql.push_str(") VALUES (");
    for number in 0..columns.len() {
        sql.push_str(if number == 0 { "?" } else { ", ?" });
    }
    sql.push(')');
    sql
}

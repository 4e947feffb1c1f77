//! Runs whose changes stay until the transaction is taken back. An `impl` of [`Bench`], apart for its length.

use super::{Bench, Mode, Prepared, SchemaError, Statement, Value, bind, sqlite};

impl Bench<'_> {
    /// Runs a statement of the linter's own to its end, keeps what it did, and gives the number that it returns.
    ///
    /// # Errors
    ///
    /// SQLite refuses to, in its own words.
    pub fn execute(&self, prepared: &mut Prepared<'_>, values: &[Value]) -> Result<i64, String> {
        self.content.take();
        let mut run = || -> sqlite::Result<i64> {
            self.enforce(false)?;
            bind(&mut prepared.statement, values)?;
            number(&mut prepared.statement)
        };
        run().map_err(|error| error.to_string())
    }

    /// Runs a statement to its end as the program would, triggers and all, keeps what it did, and gives the number that it returns.
    ///
    /// # Errors
    ///
    /// SQLite or a trigger refuses to.
    pub fn run(&self, sql: &str) -> Result<i64, SchemaError> {
        self.content.take();
        self.enforce(true)?;
        self.live.guard.begin(Mode::Apply);
        Ok(number(&mut self.connection().prepare(sql)?)?)
    }
}

/// Runs a statement to its end, and gives the number of its last row's first column.
fn number(statement: &mut Statement<'_>) -> sqlite::Result<i64> {
    let (mut rows, mut number) = (statement.raw_query(), 0);
    while let Some(row) = rows.next()? {
        number = row.get(0).unwrap_or(0);
    }
    Ok(number)
}

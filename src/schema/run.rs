//! Runs statements on rows that are made for it, and counts what SQLite does. All of it happens in one transaction that
//! is rolled back. Knows neither what the rows are nor what the counts mean.

mod kept;

use super::counters::{content, pages_read};
use super::guard::{self, Mode};
use super::{Live, SchemaError, quoted, sqlite};
use sqlite::config::DbConfig;
use sqlite::functions::FunctionFlags;
use sqlite::types::Value;
use sqlite::{Connection, ErrorCode, Statement, StatementStatus};
use std::cell::RefCell;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// What SQLite counted while a statement ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Run {
    /// Steps of its virtual machine, those of triggers and cascades included.
    pub steps: u64,
    /// Pages asked of the cache.
    pub pages: u64,
    /// Sorts.
    pub sorts: u64,
    /// Rows put into automatic indexes.
    pub automatic: u64,
    /// Rows returned.
    pub returned: u64,
    /// Rows that its aggregates are made of, or that it means to change, where they were asked for apart.
    pub gathered: u64,
    /// Rows inserted, updated and deleted, those of triggers and cascades included.
    pub changed: u64,
    /// Pages that came out other than they were; `None` where that was not asked.
    pub dirtied: Option<u64>,
    /// It did not come to its end: a limit was met, or a constraint refused a row.
    pub stopped: bool,
    /// A constraint refused a row, and what was changed until then is taken back: what was counted is a part of what it
    /// does. A foreign key refuses nothing here.
    pub refused: bool,
    /// It failed for what the rows are, as a function does that is given no JSON: what was counted says nothing.
    pub failed: bool,
}

/// The pages of each schema.
type Content = Vec<(String, Vec<u8>)>;

/// A transaction on a database in memory, for rows and runs. Dropping it takes everything back.
#[derive(Debug)]
pub struct Bench<'a> {
    live: &'a Live,
    foreign_keys: bool,
    has_triggers: bool,
    /// What `random()` counts up from: the same in every run.
    random: Arc<AtomicU64>,
    /// The pages of each schema, from the first run whose changes of them are counted until other rows are filled in.
    content: RefCell<Option<Content>>,
}

/// A statement that is run again and again.
#[derive(Debug)]
pub struct Prepared<'a> {
    statement: Statement<'a>,
    writes: bool,
}

impl Prepared<'_> {
    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.statement.parameter_count()
    }
}

impl Live {
    /// Begins a transaction for rows and runs. Foreign keys are as the settings say while a statement is measured, and
    /// off, like triggers, while rows are filled in.
    ///
    /// # Errors
    ///
    /// A transaction cannot be begun.
    pub fn bench(&mut self) -> Result<Bench<'_>, SchemaError> {
        self.enforce_keys(self.settings.foreign_keys)?;
        self.guard.begin(Mode::Own);
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("COMMIT")?;
        }
        let random = Arc::new(AtomicU64::new(0));
        let seed = Arc::clone(&random);
        self.connection.create_scalar_function("random", 0, FunctionFlags::SQLITE_UTF8, move |_| {
            Ok(scattered(seed.fetch_add(1, Ordering::Relaxed)))
        })?;
        let has_triggers = self.has_triggers()?;
        let foreign_keys = self.settings.foreign_keys;
        let bench = Bench { foreign_keys, has_triggers, random, content: RefCell::default(), live: self };
        bench.begin()?;
        Ok(bench)
    }

    fn has_triggers(&self) -> sqlite::Result<bool> {
        for schema in guard::schemas(&self.connection) {
            let sql = format!(
                "SELECT EXISTS (SELECT 1 FROM {}.sqlite_schema WHERE type = 'trigger')",
                quoted(&schema)
            );
            if self.connection.query_row(&sql, [], |row| row.get(0))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<'a> Bench<'a> {
    fn connection(&self) -> &'a Connection {
        &self.live.connection
    }

    fn begin(&self) -> sqlite::Result<()> {
        self.live.guard.begin(Mode::Own);
        self.connection().execute_batch("BEGIN")?;
        if self.foreign_keys {
            // A parent that is deleted is not refused for its children: what counts is how they are looked for.
            self.connection().execute_batch("PRAGMA defer_foreign_keys = ON")?;
        }
        Ok(())
    }

    /// Takes back all rows.
    ///
    /// # Errors
    ///
    /// SQLite cannot roll back, or begin anew.
    pub fn clear(&self) -> Result<(), SchemaError> {
        self.content.take();
        self.live.guard.begin(Mode::Own);
        if !self.connection().is_autocommit() {
            self.connection().execute_batch("ROLLBACK")?;
        }
        Ok(self.begin()?)
    }

    /// Runs something while no CHECK is asked. SQLite prepares all statements again for it.
    pub fn unchecked<T>(&self, run: impl FnOnce() -> T) -> T {
        let set = |is_ignored| self.connection().pragma_update(None, "ignore_check_constraints", is_ignored);
        self.live.guard.begin(Mode::Own);
        // Where it can't be set, the rows are refused as before.
        let _ = set(true);
        let result = run();
        let _ = set(false);
        result
    }

    /// Whether all rows are gone, because a statement rolled the transaction back.
    pub fn is_lost(&self) -> bool {
        self.connection().is_autocommit()
    }

    /// Turns triggers and foreign keys on as the settings say, for statements that write, or off, for rows that are filled in.
    fn enforce(&self, wanted: bool) -> sqlite::Result<()> {
        self.live.guard.begin(Mode::Own);
        let set = |option, wanted| -> sqlite::Result<()> {
            if self.connection().db_config(option)? != wanted {
                self.connection().set_db_config(option, wanted)?;
            }
            Ok(())
        };
        // Each change of a setting has SQLite prepare all statements anew.
        set(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, wanted || !self.has_triggers)?;
        set(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, self.foreign_keys && wanted)
    }

    /// What ANALYZE says of the main schema as it is filled: of each table and index its name and numbers.
    ///
    /// # Errors
    ///
    /// SQLite cannot read a table.
    pub fn statistics(&self) -> Result<Vec<(String, Option<String>, String)>, SchemaError> {
        self.live.guard.begin(Mode::Own);
        self.connection().execute_batch("ANALYZE main")?;
        let sql = "SELECT tbl, idx, stat FROM main.sqlite_stat1 WHERE stat IS NOT NULL ORDER BY tbl, idx";
        let mut statement = self.connection().prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(rows.collect::<sqlite::Result<_>>()?)
    }

    /// Prepares a statement to be run with values.
    ///
    /// # Errors
    ///
    /// SQLite does not accept it.
    pub fn prepare(&self, sql: &str) -> Result<Prepared<'a>, SchemaError> {
        self.live.guard.begin(Mode::Apply);
        let statement = self.connection().prepare(sql)?;
        Ok(Prepared { writes: !statement.readonly(), statement })
    }

    /// Prepares a statement of the linter's own, which the guard does not look at.
    ///
    /// # Errors
    ///
    /// SQLite does not accept it.
    pub fn prepare_own(&self, sql: &str) -> Result<Prepared<'a>, SchemaError> {
        self.live.guard.begin(Mode::Own);
        let statement = self.connection().prepare(sql)?;
        Ok(Prepared { writes: true, statement })
    }

    /// Runs a statement with values for its parameters, counts, and takes back what it changed.
    ///
    /// # Errors
    ///
    /// The run cannot be taken back. A statement that fails is no error: what it did until then counts.
    pub fn measure(&self, prepared: &mut Prepared<'_>, values: &[Value]) -> Result<Run, SchemaError> {
        self.measured(prepared, values, false)
    }

    /// The same, and counts the pages that it writes, for which all of them are copied.
    ///
    /// # Errors
    ///
    /// Those of [`Bench::measure`].
    pub fn measure_pages(&self, prepared: &mut Prepared<'_>, values: &[Value]) -> Result<Run, SchemaError> {
        self.measured(prepared, values, prepared.writes)
    }

    fn measured(
        &self,
        prepared: &mut Prepared<'_>,
        values: &[Value],
        with_pages: bool,
    ) -> Result<Run, SchemaError> {
        let connection = self.connection();
        self.live.guard.begin(Mode::Own);
        if with_pages && self.content.borrow().is_none() {
            self.content.replace(self.all_pages()?);
        }
        if prepared.writes {
            self.enforce(true)?;
            connection.prepare_cached("SAVEPOINT measured")?.raw_execute()?;
        }
        let mut run = self.count(prepared, values)?;
        self.live.guard.begin(Mode::Own);
        if self.is_lost() {
            self.content.take();
        }
        if let Some(before) = self.content.borrow().as_ref().filter(|_| with_pages) {
            run.dirtied = Some(self.dirtied(before)?);
        }
        if prepared.writes && !self.is_lost() {
            connection.prepare_cached("ROLLBACK TO measured")?.raw_execute()?;
            connection.prepare_cached("RELEASE measured")?.raw_execute()?;
        }
        Ok(run)
    }

    /// The pages of each schema, without the temporary one; `None` where they are too many to be copied.
    fn all_pages(&self) -> sqlite::Result<Option<Content>> {
        let mut all = Vec::new();
        for schema in guard::schemas(self.connection()).into_iter().filter(|schema| schema != "temp") {
            let sql = format!("PRAGMA {}.page_count", quoted(&schema));
            let pages: i64 = self.connection().query_row(&sql, [], |row| row.get(0))?;
            if pages > MOST_PAGES {
                return Ok(None);
            }
            let content = content(self.connection(), &schema, <[u8]>::to_vec)?;
            all.push((schema, content));
        }
        Ok(Some(all))
    }

    /// How many pages are other than they were.
    fn dirtied(&self, before: &[(String, Vec<u8>)]) -> sqlite::Result<u64> {
        let count = |(schema, before): &(String, Vec<u8>)| {
            content(self.connection(), schema, |after| differing(before, after))
        };
        before.iter().map(count).sum()
    }

    /// Runs a statement and counts.
    fn count(&self, prepared: &mut Prepared<'_>, values: &[Value]) -> Result<Run, SchemaError> {
        let connection = self.connection();
        self.random.store(0, Ordering::Relaxed);
        self.live.guard.begin(Mode::Apply);
        let statement = &mut prepared.statement;
        for status in STATUSES {
            statement.reset_status(status);
        }
        let (pages, changes) = (pages_read(connection)?, connection.total_changes());
        let mut run = Run { stopped: bind(statement, values).is_err(), ..Run::default() };
        let mut rows = statement.raw_query();
        loop {
            match rows.next() {
                Ok(Some(_)) => run.returned += 1,
                Ok(None) => break,
                Err(error) => {
                    run.stopped = true;
                    run.refused = error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation);
                    run.failed = !error.sqlite_error_code().is_some_and(is_expected);
                    break;
                }
            }
        }
        drop(rows);
        run.pages = pages_read(connection)?.saturating_sub(pages);
        run.changed = connection.total_changes().saturating_sub(changes);
        let count = |status| u64::try_from(statement.get_status(status)).unwrap_or(0);
        run.steps = count(StatementStatus::VmStep);
        run.sorts = count(StatementStatus::Sort);
        run.automatic = count(StatementStatus::AutoIndex);
        Ok(run)
    }
}

/// The size of a page of a database that says nothing of it, in bytes.
const PAGE: usize = 4096;

/// The most pages of a schema that are copied to see which of them change.
const MOST_PAGES: i64 = 4096;

/// How many pages of two states of a database differ; a page that one of them lacks differs too.
pub(super) fn differing(before: &[u8], after: &[u8]) -> u64 {
    let both = before.chunks(PAGE).zip(after.chunks(PAGE)).filter(|(before, after)| before != after).count();
    let only_one = before.len().abs_diff(after.len()).div_ceil(PAGE);
    (both + only_one) as u64
}

/// Whether an error is one that rows bring about which were not made for each other, or a limit.
fn is_expected(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::ConstraintViolation
            | ErrorCode::TooBig
            | ErrorCode::DiskFull
            | ErrorCode::OutOfMemory
            | ErrorCode::OperationInterrupted
            | ErrorCode::OperationAborted
    )
}

/// A number that looks random.
fn scattered(number: u64) -> i64 {
    let bits = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) as i64
}

const STATUSES: [StatementStatus; 3] =
    [StatementStatus::VmStep, StatementStatus::Sort, StatementStatus::AutoIndex];

fn bind(statement: &mut Statement<'_>, values: &[Value]) -> sqlite::Result<()> {
    for (value, index) in values.iter().zip(1_usize..) {
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

impl Drop for Bench<'_> {
    fn drop(&mut self) {
        // A transaction that cannot be rolled back is one that was already.
        let _ = self.enforce(true);
        self.live.guard.begin(Mode::Own);
        if !self.connection().is_autocommit() {
            let _ = self.connection().execute_batch("ROLLBACK");
        }
    }
}

#[cfg(test)]
mod tests;

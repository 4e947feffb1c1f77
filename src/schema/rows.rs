//! Rows put into tables and read back, and a database kept as it is to be taken up again: what experiments are made of.
//! Foreign keys do not look at a row that is put in. Knows no migration.

use super::guard::{self, Mode};
use super::{Live, Refusal, RefusalKind, SchemaError, quoted, quoted_text, sqlite};
use sqlite::config::DbConfig;
use sqlite::types::Value;
use std::io::Cursor;

/// All pages of the schemas of a database.
#[derive(Debug, Clone)]
pub struct Image {
    schemas: Vec<(String, Vec<u8>)>,
    /// Whether migrations run with foreign keys enforced.
    keys: bool,
    /// What else a migration may have set for those behind it.
    carried: Carried,
}

/// Settings of a connection that change what a migration does.
const CARRIED: [&str; 3] = ["ignore_check_constraints", "legacy_alter_table", "recursive_triggers"];

/// Whether these are on.
pub(super) type Carried = [bool; CARRIED.len()];

impl Image {
    /// Whether foreign keys are enforced for what migrates it next.
    pub const fn enforces_keys(&self) -> bool {
        self.keys
    }
}

impl Live {
    /// The database as it is. Temporary tables are not part of it.
    ///
    /// # Errors
    ///
    /// SQLite has no memory left.
    pub fn image(&mut self) -> Result<Image, SchemaError> {
        self.guard.begin(Mode::Own);
        let mut schemas = Vec::new();
        for schema in guard::schemas(&self.connection) {
            if schema != "temp" {
                schemas.push((schema.clone(), self.connection.serialize(schema.as_str())?.to_vec()));
            }
        }
        Ok(Image { schemas, keys: self.migrating_keys, carried: self.carried()? })
    }

    /// Makes the database what it was, or what another with the same settings was.
    ///
    /// # Errors
    ///
    /// SQLite has no memory left.
    pub fn restore(&mut self, image: &Image) -> Result<(), SchemaError> {
        self.guard.begin(Mode::Own);
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("ROLLBACK")?;
        }
        for (schema, data) in &image.schemas {
            self.load(schema, data)?;
        }
        self.drop_temporary()?;
        self.carry(image.carried)?;
        self.migrating_keys = image.keys;
        self.forget();
        Ok(())
    }

    /// Makes a schema of this database what these pages hold.
    pub(super) fn load(&mut self, schema: &str, pages: &[u8]) -> sqlite::Result<()> {
        self.connection.deserialize_read_exact(schema, Cursor::new(pages), pages.len(), false)?;
        guard::limit_pages(&self.connection, schema, &self.settings.limits)
    }

    /// Does what the end of a process does to a connection: what is temporary is gone, and settings are as they are when the
    /// program opens the database.
    ///
    /// # Errors
    ///
    /// SQLite refuses a setting.
    pub fn reconnect(&mut self) -> Result<(), SchemaError> {
        self.guard.begin(Mode::Own);
        self.drop_temporary()?;
        self.carry(Carried::default())?;
        self.set_pragmas()?;
        self.migrating_keys = self.settings.migrating_keys.unwrap_or(self.settings.foreign_keys);
        self.forget();
        Ok(())
    }

    /// These settings, which only a PRAGMA changes.
    pub(super) fn carried(&self) -> sqlite::Result<Carried> {
        if let Some(known) = self.carried.get() {
            return Ok(known);
        }
        let mut carried = Carried::default();
        for (name, is_on) in CARRIED.iter().zip(&mut carried) {
            *is_on = self.connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))?;
        }
        self.carried.set(Some(carried));
        Ok(carried)
    }

    pub(super) fn carry(&self, carried: Carried) -> sqlite::Result<()> {
        let now = self.carried()?;
        for ((name, wanted), now) in CARRIED.iter().zip(carried).zip(now) {
            if wanted != now {
                self.connection.execute_batch(&format!("PRAGMA {name} = {}", i32::from(wanted)))?;
            }
        }
        self.carried.set(Some(carried));
        Ok(())
    }

    /// Has SQLite ask no CHECK, or all.
    pub(super) fn ignore_checks(&self, wanted: bool) -> sqlite::Result<()> {
        self.guard.begin(Mode::Own);
        let [_, alters, triggers] = self.carried()?;
        self.carry([wanted, alters, triggers])
    }

    pub(super) fn drop_temporary(&self) -> sqlite::Result<()> {
        if !self.has_temporary.replace(false) {
            return Ok(());
        }
        let sql = "SELECT type, name FROM temp.sqlite_schema WHERE type <> 'index' ORDER BY type <> 'trigger', rowid DESC";
        let mut statement = self.connection.prepare(sql)?;
        let read = |row: &sqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let objects: Vec<(String, String)> = statement.query_map([], read)?.collect::<sqlite::Result<_>>()?;
        for (kind, name) in objects {
            self.connection.execute_batch(&format!("DROP {kind} temp.{}", quoted(&name)))?;
        }
        Ok(())
    }

    /// Makes pages small, before there are any: an image of a schema without rows is mostly the pages that begin its tables.
    ///
    /// # Errors
    ///
    /// SQLite refuses the setting.
    pub fn use_small_pages(&mut self) -> Result<(), SchemaError> {
        self.guard.begin(Mode::Own);
        Ok(self.connection.execute_batch("PRAGMA page_size = 1024")?)
    }

    /// Begins to put rows in: no foreign key looks at them, and triggers only if that is wanted.
    ///
    /// # Errors
    ///
    /// SQLite refuses a setting.
    pub fn begin_rows(&mut self, triggers: bool) -> Result<(), SchemaError> {
        self.guard.begin(Mode::Own);
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, triggers)?;
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
        self.guard.begin(Mode::Run);
        self.connection.execute_batch("BEGIN")?;
        Ok(())
    }

    /// Ends it: the rows are there, and looked at from now on.
    ///
    /// # Errors
    ///
    /// SQLite refuses a setting.
    pub fn end_rows(&mut self) -> Result<(), SchemaError> {
        self.guard.begin(Mode::Own);
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("COMMIT")?;
        }
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, true)?;
        self.enforce_keys(self.migrating_keys)?;
        Ok(())
    }

    /// Runs a statement of the linter's own with these values; the number of rows that it changed.
    ///
    /// # Errors
    ///
    /// In SQLite's words: a constraint of the table, or one of the limits.
    pub fn put(&mut self, sql: &str, values: &[Value]) -> Result<usize, String> {
        self.guard.begin(Mode::Run);
        let mut statement = self.connection.prepare_cached(sql).map_err(|error| error.to_string())?;
        statement.execute(sqlite::params_from_iter(values)).map_err(|error| error.to_string())
    }

    /// The rows that a query returns, no more than `most`.
    ///
    /// # Errors
    ///
    /// In SQLite's words: it does not compile, or a limit was met.
    pub fn ask(&mut self, sql: &str, most: usize) -> Result<Vec<Vec<Value>>, String> {
        self.guard.begin(Mode::Run);
        let ask = || -> sqlite::Result<Vec<Vec<Value>>> {
            let mut statement = self.connection.prepare(sql)?;
            let columns = statement.column_count();
            let mut rows = statement.query([])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                if found.len() == most {
                    break;
                }
                found.push((0..columns).map(|at| row.get(at)).collect::<sqlite::Result<Vec<Value>>>()?);
            }
            Ok(found)
        };
        ask().map_err(|error| error.to_string())
    }

    /// What SQLite says of a view that does not compile. To ask for its columns resolves all names, and plans nothing: where each view
    /// reads the next, that takes a while.
    pub fn breaks(&mut self, schema: &str, view: &str) -> Option<String> {
        self.guard.begin(Mode::Own);
        let sql = format!("PRAGMA {}.table_info({})", quoted(schema), quoted(view));
        let refusal = self.connection.prepare(&sql).err().map(|error| Refusal::new(&error, &self.guard, 0));
        // A function or collation is the program's, and no step takes it away.
        let is_of_program = |kind: &RefusalKind| {
            matches!(kind, RefusalKind::NoSuchFunction(_) | RefusalKind::NoSuchCollation(_))
        };
        refusal.filter(|refusal| !is_of_program(&refusal.kind)).map(|refusal| refusal.message)
    }

    /// The tables to which rows of a table refer that are not there; `None` where SQLite can't tell, since a foreign key of it
    /// fits no key.
    pub fn orphans(&mut self, table: &str) -> Option<Vec<String>> {
        let sql = format!("SELECT DISTINCT parent FROM pragma_foreign_key_check({})", quoted_text(table));
        let found = self.ask(&sql, usize::MAX).ok()?;
        let parent = |row: Vec<Value>| match row.into_iter().next() {
            Some(Value::Text(parent)) => Some(parent),
            _ => None,
        };
        Some(found.into_iter().filter_map(parent).collect())
    }

    /// The steps of SQLite's virtual machine that a statement of the program takes.
    ///
    /// # Errors
    ///
    /// The refusal of SQLite, or of the guard.
    pub fn steps_of(&mut self, sql: &str) -> Result<u64, Refusal> {
        self.guard.begin(Mode::Apply);
        let before = self.spent();
        self.run(sql).map_err(|error| Refusal::new(&error, &self.guard, 0))?;
        Ok(self.spent() - before)
    }
}

/// The name of a table with its schema, for SQL.
pub fn qualified(schema: &str, table: &str) -> String {
    format!("{}.{}", quoted(schema), quoted(table))
}

#[cfg(test)]
mod tests;

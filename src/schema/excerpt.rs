//! A part of a database as one of its own: some tables with their rows, and what goes with them. What runs on a few tables of
//! a large schema takes SQLite less time there. Knows the catalogue, and no migration.

use super::guard::Mode;
use super::tokens::{Token, Tokens};
use super::{Live, SchemaError, qualified, quoted, sqlite};
use sqlite::types::Value;
use std::collections::BTreeSet;

/// The most rows of a table that are copied one by one.
const ROWS: i64 = 1_000;

/// An object of the catalogue that has a text, in the main schema.
#[derive(Debug, Clone)]
pub struct Entry {
    /// `table`, `index`, `view` or `trigger`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The table of an index or a trigger; otherwise the name.
    pub table: String,
    /// What made it, as SQLite keeps it.
    pub sql: String,
}

impl Entry {
    /// The tables that the foreign keys of a table refer to, as its text names them.
    pub fn parents(&self) -> Vec<String> {
        let mut tokens = Tokens::from(&self.sql, 0);
        let mut parents = Vec::new();
        while let Some(token) = tokens.next() {
            if token.is("references") {
                parents.extend(tokens.next().filter(Token::is_name).map(|token| token.name()));
            }
        }
        parents
    }

    /// The names in its text, in lower case; keywords are among them.
    fn names(&self) -> impl Iterator<Item = String> {
        Tokens::from(&self.sql, 0).filter(Token::is_name).map(|token| token.name().to_lowercase())
    }

    /// Whether it is a virtual table.
    pub fn is_virtual(&self) -> bool {
        Tokens::from(&self.sql, 0).nth(1).is_some_and(|token| token.is("virtual"))
    }
}

impl Live {
    /// Makes `into`, which must be empty, the part of this database, of these objects, that some tables are, by their names in lower case:
    /// with their rows, indexes and triggers, and the views that read no other. False where that can't be done in short.
    ///
    /// # Errors
    ///
    /// SQLite refuses in `into` what it took here.
    pub fn excerpt(
        &mut self,
        objects: &[Entry],
        tables: &BTreeSet<String>,
        into: &mut Self,
    ) -> Result<bool, SchemaError> {
        self.guard.begin(Mode::Own);
        into.guard.begin(Mode::Own);
        let names: BTreeSet<String> = objects
            .iter()
            .filter(|one| matches!(one.kind.as_str(), "table" | "view"))
            .map(|one| one.name.to_lowercase())
            .collect();
        let mut taken: BTreeSet<String> =
            tables.iter().filter(|table| names.contains(*table)).cloned().collect();
        for table in &taken {
            let sql = format!(
                "SELECT count(*) FROM (SELECT 1 FROM {} LIMIT {})",
                qualified("main", table),
                ROWS + 1
            );
            if self.connection.query_row(&sql, [], |row| row.get::<_, i64>(0))? > ROWS {
                return Ok(false);
            }
        }
        let of_kind = |kind: &'static str| objects.iter().filter(move |one| one.kind == kind);
        let is_own = |one: &&Entry| tables.contains(&one.table.to_lowercase());
        for table in of_kind("table").filter(is_own) {
            into.connection.execute_batch(&table.sql)?;
            self.copy_rows(&table.name, into)?;
        }
        self.copy_sequences(tables, into)?;
        for index in of_kind("index").filter(is_own) {
            into.connection.execute_batch(&index.sql)?;
        }
        for view in of_kind("view") {
            let reads = |name: &String| *name != view.name.to_lowercase() && names.contains(name);
            if view.names().filter(reads).all(|name| taken.contains(&name)) {
                into.connection.execute_batch(&view.sql)?;
                taken.insert(view.name.to_lowercase());
            }
        }
        // One that names what is not there would fail where it fires, which it does on tables alone that are not written to.
        let is_complete = |trigger: &&Entry| {
            let mut tables = trigger.names().filter(|name| names.contains(name));
            taken.contains(&trigger.table.to_lowercase()) && tables.all(|name| taken.contains(&name))
        };
        for trigger in of_kind("trigger").filter(is_complete) {
            into.connection.execute_batch(&trigger.sql)?;
        }
        into.migrating_keys = self.migrating_keys;
        into.carry(&self.carried()?)?;
        into.forget();
        Ok(true)
    }

    /// The objects of the main schema that have a text, in the order in which they were made.
    ///
    /// # Errors
    ///
    /// SQLite cannot read its own catalogue.
    pub fn entries(&mut self) -> Result<Vec<Entry>, SchemaError> {
        self.guard.begin(Mode::Own);
        let sql = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema
                   WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &sqlite::Row<'_>| {
            Ok(Entry { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql: row.get(3)? })
        };
        let entries = statement.query_map([], read)?.collect::<sqlite::Result<_>>()?;
        Ok(entries)
    }

    fn copy_rows(&self, table: &str, into: &Self) -> sqlite::Result<()> {
        let from = qualified("main", table);
        let is_empty = format!("SELECT NOT EXISTS (SELECT 1 FROM {from})");
        if self.connection.query_row(&is_empty, [], |row| row.get(0))? {
            return Ok(());
        }
        let sql = "SELECT name FROM pragma_table_xinfo(?1, 'main') WHERE hidden = 0 ORDER BY cid";
        let mut statement = self.connection.prepare(sql)?;
        let names: Vec<String> =
            statement.query_map([table], |row| row.get(0))?.collect::<sqlite::Result<_>>()?;
        let mut columns: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let has_name = names.iter().any(|name| name.eq_ignore_ascii_case("rowid"));
        if !has_name && self.connection.prepare(&format!("SELECT rowid FROM {from}")).is_ok() {
            columns.insert(0, "rowid".to_owned());
        }
        let (list, marks) = (columns.join(", "), vec!["?"; columns.len()].join(", "));
        let mut rows = self.connection.prepare(&format!("SELECT {list} FROM {from}"))?;
        let mut insert = into.connection.prepare(&format!("INSERT INTO {from} ({list}) VALUES ({marks})"))?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let values: Vec<Value> =
                (0..columns.len()).map(|at| row.get(at)).collect::<sqlite::Result<_>>()?;
            insert.execute(sqlite::params_from_iter(values))?;
        }
        Ok(())
    }

    fn copy_sequences(&self, tables: &BTreeSet<String>, into: &Self) -> sqlite::Result<()> {
        let has = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence')";
        let has = |live: &Self| live.connection.query_row(has, [], |row| row.get::<_, bool>(0));
        if !has(self)? || !has(into)? {
            return Ok(());
        }
        into.connection.execute_batch("DELETE FROM main.sqlite_sequence")?;
        let mut statement = self.connection.prepare("SELECT name, seq FROM main.sqlite_sequence")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (name, highest): (String, Value) = (row.get(0)?, row.get(1)?);
            if tables.contains(&name.to_lowercase()) {
                let sql = "INSERT INTO main.sqlite_sequence (name, seq) VALUES (?1, ?2)";
                into.connection.execute(sql, sqlite::params![name, highest])?;
            }
        }
        Ok(())
    }
}

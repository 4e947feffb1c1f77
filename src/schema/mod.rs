//! A live SQLite database in memory, on which a program's migrations are run and its statements are planned.
//!
//! What is run here was written by a stranger, so a guard stands before the connection: nothing reaches a file, and
//! nothing runs without end. This module is the only door to rusqlite. It knows no source file and no rule.

mod apply;
pub mod compare;
pub mod copied;
mod counters;
mod engine;
mod excerpt;
mod explain;
pub mod file;
mod generated;
mod guard;
mod head;
pub mod history;
mod insert;
mod inserted;
mod keys;
mod linear;
mod listing;
pub mod losses;
pub mod mirror;
mod moment;
mod objects;
mod program;
mod refusal;
pub mod rehearsal;
pub mod replan;
mod roots;
mod rows;
mod run;
mod split;
mod stubs;
pub mod ties;
pub mod tokens;
pub mod triggers;
pub mod types;
pub mod upgrade;
pub mod variant;

pub use apply::{Applied, Dropped, Effect};
pub use counters::{memory_taken, open_in_memory, open_named, pages_read};
pub use engine::{sqlite_options, sqlite_version};
pub use excerpt::Entry;
pub use explain::{Explained, Read, StatementKind, Write, WriteAction};
pub use head::{Alteration, IndexDefinition, Kind};
pub use inserted::{Inserted, replaced_columns};
pub use linear::bound_values;
pub use moment::Moment;
pub use objects::{
    Affinity, Column, ForeignKey, Generated, IndexColumn, IndexObject, Objects, Origin, Table, TableKind,
    Trigger, View, is_catalogue,
};
pub use refusal::{Refusal, RefusalKind};
pub use rows::{Image, qualified};
pub use run::{Bench, Prepared, Run};
pub use rusqlite as sqlite;
pub use split::statements;

use guard::{Guard, Mode};
use roots::Roots;
use sqlite::OpenFlags;
use sqlite::config::DbConfig;
use std::cell::Cell;
use std::collections::BTreeMap;

/// What a database needs to be like the program's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether the program's connections enforce foreign keys. Most do not.
    pub foreign_keys: bool,
    /// Whether they are enforced while its migrations run; `None`: as otherwise.
    pub migrating_keys: Option<bool>,
    /// The functions that the program registers, with the number of their arguments; -1 is any number.
    pub functions: Vec<(String, i32)>,
    /// The collations that it registers.
    pub collations: Vec<String>,
    /// The virtual table modules that it registers.
    pub modules: Vec<String>,
    /// The names under which it attaches other databases.
    pub attached: Vec<String>,
    /// What makes the tables that are there before the first step of its schema.
    pub beforehand: Vec<String>,
    /// What else it sets by PRAGMA on each connection.
    pub pragmas: BTreeMap<String, String>,
    /// How much a statement may take.
    pub limits: Limits,
}

/// How much a statement may take before it is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Steps of SQLite's virtual machine, per statement.
    pub steps: u64,
    /// Milliseconds, per statement: for what costs much in a single step.
    pub milliseconds: u64,
    /// Bytes that a statement may take beside what SQLite held before.
    pub memory_bytes: i64,
    /// Pages of each schema.
    pub pages: u32,
    /// Bytes of a string, a blob or a row.
    pub value_bytes: i32,
    /// Bytes of the text of a statement.
    pub sql_bytes: i32,
    /// Levels of an expression.
    pub expression_depth: i32,
    /// Terms of a compound SELECT.
    pub compound_terms: i32,
    /// The highest number of a parameter.
    pub parameters: i32,
    /// Levels of triggers that fire triggers.
    pub trigger_depth: i32,
    /// Instructions of one compiled statement.
    pub program_steps: i32,
    /// Bytes of the pattern of a LIKE or GLOB.
    pub pattern_bytes: i32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 20_000_000,
            milliseconds: 10_000,
            memory_bytes: 1 << 30,
            pages: 65_536,
            value_bytes: 1_000_000,
            sql_bytes: 2_000_000,
            expression_depth: 1_000,
            compound_terms: 500,
            parameters: 32_766,
            trigger_depth: 1_000,
            program_steps: 1_000_000,
            pattern_bytes: 1_000,
        }
    }
}

/// A database could not be set up. What a program's own SQL does wrong is a [`Refusal`], not this.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// SQLite itself failed.
    #[error("SQLite: {0}")]
    Sqlite(#[from] sqlite::Error),
    /// A setting was refused.
    #[error("PRAGMA {name} = {value}: {message}")]
    Pragma {
        /// The setting.
        name: String,
        /// Its value.
        value: String,
        /// What SQLite said.
        message: String,
    },
}

/// A database in memory, with a guard before it.
///
/// It can be handed from thread to thread, and used by one at a time.
#[derive(Debug)]
pub struct Live {
    connection: sqlite::Connection,
    guard: Guard,
    settings: Settings,
    /// Whether migrations run with foreign keys enforced now: they may set that, and it stays set between them.
    migrating_keys: bool,
    /// Where its B-trees are, if that was asked since the schema changed.
    roots: Option<Roots>,
    /// Steps of SQLite's virtual machine that the program's statements took so far.
    spent: Cell<u64>,
    /// What is carried from one migration to the next, if that was asked since a PRAGMA ran.
    carried: Cell<Option<rows::Carried>>,
    /// Whether something temporary may have been made.
    has_temporary: Cell<bool>,
    /// Tables and views that were dropped.
    gone: Vec<String>,
}

impl Live {
    /// An empty database.
    ///
    /// # Errors
    ///
    /// SQLite cannot open one, or a setting is refused.
    pub fn open(settings: &Settings) -> Result<Self, SchemaError> {
        // With the flag for memory, whatever is attached is in memory too.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_MEMORY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = open_in_memory(flags)?;
        for schema in &settings.attached {
            guard::attach(&connection, schema, &settings.limits)?;
        }
        stubs::register(&connection, settings)?;
        linear::register(&connection, settings.limits.value_bytes)?;
        let guard = Guard::arm(&mut connection, &settings.limits)?;
        let keys = settings.foreign_keys;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, keys)?;
        let migrating_keys = settings.migrating_keys.unwrap_or(keys);
        let mut live = Self {
            connection,
            guard,
            settings: settings.clone(),
            migrating_keys,
            roots: None,
            spent: Cell::new(0),
            carried: Cell::new(None),
            has_temporary: Cell::new(false),
            gone: Vec::new(),
        };
        live.set_pragmas()?;
        Ok(live)
    }

    fn set_pragmas(&mut self) -> Result<(), SchemaError> {
        for (name, value) in self.settings.pragmas.clone() {
            let applied = self.apply(&format!("PRAGMA {} = {}", quoted(&name), quoted_text(&value)));
            if let Some(Err(refusal)) = applied.into_iter().map(|applied| applied.outcome).next() {
                return Err(SchemaError::Pragma { name, value, message: refusal.message });
            }
        }
        Ok(())
    }

    /// Attaches one more empty database in memory, under the name that the program gives it.
    ///
    /// # Errors
    ///
    /// There is one of this name, or there are as many as SQLite allows.
    pub fn attach(&mut self, schema: &str) -> Result<(), SchemaError> {
        self.guard.begin(Mode::Own);
        guard::attach(&self.connection, schema, &self.settings.limits)?;
        self.settings.attached.push(schema.to_owned());
        self.forget();
        Ok(())
    }

    /// How many steps of SQLite's virtual machine the program's statements have taken on it.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// What the database was opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The connection, for who measures on it or changes the schema for a trial. The guard stays before it, and each call
    /// begins a new budget; [`Live::budget`] begins one in between.
    ///
    /// # Errors
    ///
    /// SQLite refuses to enforce foreign keys as the settings say.
    pub fn connection(&mut self) -> Result<&mut sqlite::Connection, SchemaError> {
        self.enforce_keys(self.settings.foreign_keys)?;
        self.guard.begin(Mode::Run);
        self.carried.set(None);
        self.has_temporary.set(true);
        self.forget();
        Ok(&mut self.connection)
    }

    /// The budget of what others run on the connection.
    pub fn budget(&self) -> Budget {
        Budget(self.guard.clone())
    }

    /// Registers a stub for a function of any number of arguments, once it is known that the program has one.
    ///
    /// # Errors
    ///
    /// The name is none, or one of a function that would reach a file.
    pub fn add_function(&mut self, name: &str) -> Result<(), SchemaError> {
        stubs::function(&self.connection, name, -1)?;
        self.settings.functions.push((name.to_owned(), -1));
        Ok(())
    }

    /// Registers a stub for a collation, once it is known that the program has one.
    ///
    /// # Errors
    ///
    /// The name is none.
    pub fn add_collation(&mut self, name: &str) -> Result<(), SchemaError> {
        stubs::collation(&self.connection, name)?;
        self.settings.collations.push(name.to_owned());
        Ok(())
    }

    /// A database with the same schemas and rows, settings and stubs. Temporary tables are made anew, without rows.
    ///
    /// # Errors
    ///
    /// SQLite cannot copy it, which it can unless memory runs out.
    pub fn copy(&mut self) -> Result<Self, SchemaError> {
        let mut copy = Self::open(&self.settings)?;
        for schema in guard::schemas(&self.connection) {
            if schema != "temp" {
                copy.fill(&schema, self, &schema)?;
            }
        }
        for sql in self.temporary_objects()? {
            copy.apply(&sql);
        }
        copy.migrating_keys = self.migrating_keys;
        copy.gone.clone_from(&self.gone);
        Ok(copy)
    }

    /// Makes an attached schema of this database a copy of a schema of another.
    ///
    /// # Errors
    ///
    /// No schema of this name was named in the settings, or SQLite cannot copy it.
    pub fn apply_schema(
        &mut self,
        schema: &str,
        (from, source): (&mut Self, &str),
    ) -> Result<(), SchemaError> {
        self.fill(schema, from, source)
    }

    /// What made the temporary objects, which SQLite keeps without the word TEMP.
    fn temporary_objects(&self) -> sqlite::Result<Vec<String>> {
        self.guard.begin(Mode::Own);
        let sql = "SELECT sql FROM temp.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
        let mut statement = self.connection.prepare(sql)?;
        let texts = statement.query_map([], |row| row.get(0))?.collect::<sqlite::Result<Vec<String>>>()?;
        Ok(texts
            .into_iter()
            .map(|text| match text.strip_prefix("CREATE ") {
                Some(rest) if !rest.starts_with("INDEX") && !rest.starts_with("UNIQUE") => {
                    format!("CREATE TEMP {rest}")
                }
                _ => text,
            })
            .collect())
    }

    fn fill(&mut self, schema: &str, from: &mut Self, source: &str) -> Result<(), SchemaError> {
        from.guard.begin(Mode::Own);
        self.guard.begin(Mode::Own);
        let data = from.connection.serialize(source)?;
        self.load(schema, &data)?;
        self.forget();
        Ok(())
    }

    /// The schema may have changed: what is known of it is read again when it is needed.
    fn forget(&mut self) {
        self.roots = None;
    }

    /// Enforces foreign keys, or not.
    fn enforce_keys(&self, wanted: bool) -> sqlite::Result<()> {
        if self.connection.db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY)? != wanted {
            self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, wanted)?;
        }
        Ok(())
    }
}

/// What may be spent on a connection before what runs on it is interrupted.
#[derive(Debug, Clone)]
pub struct Budget(Guard);

impl Budget {
    /// Begins a new budget, as great as the limits say.
    pub fn renew(&self) {
        self.0.begin(Mode::Run);
    }

    /// Begins a new budget of so many steps, if that is less.
    pub fn renew_for(&self, steps: u64) {
        self.0.begin(Mode::Run);
        self.0.spare(steps);
    }

    /// The limit that was met since the budget began: `steps`, `time` or `memory`.
    pub fn exceeded(&self) -> Option<&'static str> {
        self.0.log().exceeded
    }
}

/// A name, quoted for SQL.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text, as SQL writes it.
pub fn quoted_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Whether two names are one to SQLite.
pub fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

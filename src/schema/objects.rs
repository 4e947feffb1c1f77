//! What is in a database: its tables, indexes, foreign keys, triggers and views, as SQLite itself lists them.

use super::same;
use super::tokens::Tokens;

/// All schemas of a database at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Objects {
    /// Tables, also virtual ones and those in which they keep their rows; the catalogue and other tables of SQLite's own
    /// are left out.
    pub tables: Vec<Table>,
    /// Indexes, also those of PRIMARY KEY and UNIQUE.
    pub indexes: Vec<IndexObject>,
    /// Foreign keys.
    pub foreign_keys: Vec<ForeignKey>,
    /// Triggers.
    pub triggers: Vec<Trigger>,
    /// Views.
    pub views: Vec<View>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// `main`, `temp` or the name of an attached database.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// What kind of table it is.
    pub kind: TableKind,
    /// Its CREATE statement, as SQLite keeps it.
    pub sql: String,
    /// In the order declared.
    pub columns: Vec<Column>,
    /// STRICT.
    pub strict: bool,
    /// WITHOUT ROWID.
    pub without_rowid: bool,
    /// AUTOINCREMENT.
    pub autoincrement: bool,
}

/// What kind of table something is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableKind {
    /// A B-tree of rows.
    Ordinary,
    /// A virtual table of this module.
    Virtual(String),
    /// A table in which a virtual table keeps its rows.
    Shadow,
}

/// A column of a table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The words declared as its type; empty where there are none.
    pub declared_type: String,
    /// What SQLite makes of these words.
    pub affinity: Affinity,
    /// NOT NULL.
    pub not_null: bool,
    /// The text of its DEFAULT.
    pub default: Option<String>,
    /// Its place in the primary key, from 1; 0 where it is not part of it.
    pub primary_key: u32,
    /// Whether it is computed.
    pub generated: Generated,
    /// Not part of `*`: an argument or the name of a virtual table.
    pub hidden: bool,
    /// By which its values are compared; `BINARY` where nothing is said.
    pub collation: String,
}

/// How values of a column are stored, by the words of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Affinity {
    /// `INT` is in the words.
    Integer,
    /// `CHAR`, `CLOB` or `TEXT` is.
    Text,
    /// `BLOB` is, or there are none.
    Blob,
    /// `REAL`, `FLOA` or `DOUB` is.
    Real,
    /// None of these.
    Numeric,
}

/// Whether a column is computed from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Generated {
    /// It is not.
    No,
    /// When it is read.
    Virtual,
    /// When it is written.
    Stored,
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexObject {
    /// `main`, `temp` or the name of an attached database.
    pub schema: String,
    /// The table it is on.
    pub table: String,
    /// Its name.
    pub name: String,
    /// UNIQUE.
    pub unique: bool,
    /// What made it.
    pub origin: Origin,
    /// The text after WHERE.
    pub filter: Option<String>,
    /// Its key, then what else is stored in it to reach the row.
    pub columns: Vec<IndexColumn>,
    /// Its CREATE INDEX; `None` where a constraint made it.
    pub sql: Option<String>,
    /// How many indexes of its table were made before it: of two that serve alike, SQLite takes the later one.
    pub made: u32,
}

/// What made an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// CREATE INDEX.
    Create,
    /// A UNIQUE constraint.
    Unique,
    /// The PRIMARY KEY.
    PrimaryKey,
}

/// A column of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexColumn {
    /// The column; `None` for an expression, and for the rowid.
    pub name: Option<String>,
    /// The text of an expression.
    pub expression: Option<String>,
    /// DESC.
    pub descending: bool,
    /// By which its values are ordered.
    pub collation: String,
    /// Whether it is part of the key, and not only stored.
    pub key: bool,
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// The schema of both tables.
    pub schema: String,
    /// The table that has the key.
    pub table: String,
    /// Its number in that table, as SQLite counts.
    pub id: i64,
    /// The table it refers to, which need not be there.
    pub parent: String,
    /// Pairs of a column and the column of `parent` that it refers to. Where the key names none, that is the primary key
    /// of `parent`; `None` where it has no such column.
    pub columns: Vec<(String, Option<String>)>,
    /// `NO ACTION`, `CASCADE`, …
    pub on_update: String,
    /// The same for a row that is deleted.
    pub on_delete: String,
}

/// A trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// The schema it is in.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// The table or view it is on.
    pub table: String,
    /// `INSERT`, `UPDATE` or `DELETE`.
    pub event: String,
    /// Its CREATE TRIGGER.
    pub sql: String,
}

/// A view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The schema it is in.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its CREATE VIEW.
    pub sql: String,
    /// The names of its columns; empty where it does not compile.
    pub columns: Vec<String>,
}

impl Table {
    /// Whether SQLite makes it itself: of a virtual table, or under a name that is its own.
    pub fn is_made(&self) -> bool {
        self.kind == TableKind::Shadow || self.name.starts_with("sqlite_")
    }

    /// The column that is the rowid by another name, if one is: it alone gets a value where none is given.
    pub fn rowid_alias(&self) -> Option<&Column> {
        let mut key = self.columns.iter().filter(|one| one.primary_key > 0);
        let only = key.next().filter(|_| key.next().is_none() && !self.without_rowid)?;
        same(&only.declared_type, "INTEGER").then_some(only)
    }
}

impl Objects {
    /// A table by its schema and name, which SQLite compares without case.
    pub fn table(&self, schema: &str, name: &str) -> Option<&Table> {
        // The name first: nearly all have the same schema.
        let is = |table: &&Table| same(&table.name, name) && same(&table.schema, schema);
        self.tables.iter().find(is)
    }

    /// Whether an index has all rows of its table, by columns alone. One that is not among the objects is SQLite's own, and has.
    pub fn is_plain(&self, index: &str) -> bool {
        let own = self.indexes.iter().find(|one| same(&one.name, index));
        own.is_none_or(|one| {
            one.filter.is_none() && one.columns.iter().all(|column| column.expression.is_none())
        })
    }

    /// The indexes of a table.
    pub fn indexes_of<'a>(
        &'a self,
        schema: &'a str,
        table: &'a str,
    ) -> impl Iterator<Item = &'a IndexObject> {
        self.indexes.iter().filter(move |index| same(&index.table, table) && same(&index.schema, schema))
    }
}

/// What a trigger fires on: the first such word after its name.
pub(super) fn event_of(sql: &str) -> String {
    let events = ["insert", "update", "delete"];
    let mut words = Tokens::from(sql, 0).skip(3);
    let found = words.find_map(|token| events.into_iter().find(|event| token.is(event)));
    found.unwrap_or_default().to_ascii_uppercase()
}

/// Whether a table is where SQLite keeps the schema itself.
pub fn is_catalogue(table: &str) -> bool {
    ["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"]
        .iter()
        .any(|name| same(name, table))
}

impl Affinity {
    /// The affinity that SQLite gives a declared type.
    pub fn of(declared_type: &str) -> Self {
        let words = declared_type.to_ascii_uppercase();
        let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
        if has(&["INT"]) {
            Self::Integer
        } else if has(&["CHAR", "CLOB", "TEXT"]) {
            Self::Text
        } else if words.is_empty() || has(&["BLOB"]) {
            Self::Blob
        } else if has(&["REAL", "FLOA", "DOUB"]) {
            Self::Real
        } else {
            Self::Numeric
        }
    }

    /// As SQLite spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Integer => "INTEGER",
            Self::Text => "TEXT",
            Self::Blob => "BLOB",
            Self::Real => "REAL",
            Self::Numeric => "NUMERIC",
        }
    }
}

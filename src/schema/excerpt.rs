//! A part of a database as one of its own: some tables with their rows, and what goes with them. What runs on a few tables of
//! a large schema takes SQLite less time there. Knows the catalogue, and no migration.

use super::guard::Mode;
use super::moment::{Content, Moment};
use super::ties::all_from;
use super::tokens::{Token, Tokens};
use super::{Live, SchemaError, qualified, sqlite};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An object of the catalogue that has a text, in the main schema.
#[derive(Debug)]
pub struct Entry {
    /// `table`, `index`, `view` or `trigger`.
    pub kind: String,
    /// Its name, in lower case.
    pub name: String,
    /// The table of an index or a trigger; otherwise the name.
    pub table: String,
    /// What made it, as SQLite keeps it.
    pub sql: String,
    /// In lower case, the tables that the foreign keys of a table refer to; of a view or trigger, the names in its text, keywords
    /// among them.
    pub names: Vec<String>,
    /// Whether it is a virtual table.
    pub is_virtual: bool,
    /// The row of the catalogue.
    row: i64,
}

impl Entry {
    /// What a row of the catalogue says: that which is known of it, where it says the same. `None` of SQLite's own.
    fn read(row: &sqlite::Row<'_>, known: &[Arc<Self>]) -> sqlite::Result<Option<Arc<Self>>> {
        let number = row.get(0)?;
        let found = known.binary_search_by_key(&number, |one| one.row).ok().and_then(|at| known.get(at));
        let is_same =
            |one: &&Arc<Self>| row.get_ref(1).is_ok_and(|sql| sql.as_bytes() == Ok(one.sql.as_bytes()));
        if let Some(found) = found.filter(is_same) {
            return Ok(Some(Arc::clone(found)));
        }
        let (sql, kind): (String, String) = (row.get(1)?, row.get(2)?);
        let (name, table): (String, String) = (row.get(3)?, row.get(4)?);
        let names = names(&kind, &sql);
        let (name, table) = (name.to_lowercase(), table.to_lowercase());
        let is_own = !name.starts_with("sqlite_");
        let is_virtual = Tokens::from(&sql, 0).nth(1).is_some_and(|token| token.is("virtual"));
        Ok(is_own.then(|| Arc::new(Self { kind, name, table, sql, names, is_virtual, row: number })))
    }
}

fn names(kind: &str, sql: &str) -> Vec<String> {
    let mut tokens = Tokens::from(sql, 0);
    let name = |token: Token<'_>| token.name().to_lowercase();
    match kind {
        "table" => {
            let mut parents = Vec::new();
            while let Some(token) = tokens.next() {
                if token.is("references") {
                    parents.extend(tokens.next().filter(Token::is_name).map(name));
                }
            }
            parents
        }
        "index" => Vec::new(),
        _ => tokens.filter(Token::is_name).map(name).collect(),
    }
}

impl Live {
    /// Makes this database, which must be empty, the part of another that some tables are, by their names in lower case:
    /// with their rows, indexes and triggers, and the views that read no other.
    ///
    /// # Errors
    ///
    /// SQLite refuses here what it took there.
    pub fn excerpt(&mut self, of: &Moment, tables: &BTreeSet<String>) -> Result<(), SchemaError> {
        self.guard.begin(Mode::Own);
        self.enforce_keys(false)?;
        // What was put in while a CHECK was ignored is there as well.
        self.connection.execute_batch("PRAGMA ignore_check_constraints = 1; BEGIN")?;
        self.put_tables(of, tables)?;
        self.connection.execute_batch("COMMIT; PRAGMA ignore_check_constraints = 0")?;
        self.carry(of.carried)?;
        self.migrating_keys = of.keys;
        self.enforce_keys(of.keys)?;
        self.forget();
        Ok(())
    }

    fn put_tables(&self, of: &Moment, tables: &BTreeSet<String>) -> sqlite::Result<()> {
        let of_kind = |kind: &'static str| of.entries.iter().filter(move |one| one.kind == kind);
        let is_own = |one: &&Arc<Entry>| tables.contains(&one.table);
        let numbers = |one: &Arc<Entry>| Tokens::from(&one.sql, 0).any(|token| token.is("autoincrement"));
        if of.sequences.is_some() && !of_kind("table").filter(is_own).any(numbers) {
            // The table of numbers stays behind the first table that needs it.
            let first = "CREATE TABLE first (id INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE first";
            self.connection.execute_batch(first)?;
        }
        for table in of_kind("table").filter(is_own) {
            self.connection.execute_batch(&table.sql)?;
            if let Some(content) = of.rows.get(&table.name) {
                self.put_rows(&table.name, content)?;
            }
        }
        for index in of_kind("index").filter(is_own) {
            self.connection.execute_batch(&index.sql)?;
        }
        self.put_texts(of, tables)?;
        self.put_sequences(of, tables)
    }

    /// Makes the views that read nothing that is not there, and the triggers that name nothing that is not.
    fn put_texts(&self, of: &Moment, tables: &BTreeSet<String>) -> sqlite::Result<()> {
        let of_kind = |kind: &'static str| of.entries.iter().filter(move |one| one.kind == kind);
        let known: BTreeSet<&str> =
            of_kind("table").chain(of_kind("view")).map(|one| one.name.as_str()).collect();
        let mut taken: BTreeSet<&str> =
            tables.iter().map(String::as_str).filter(|table| known.contains(table)).collect();
        let views: BTreeMap<&str, &Arc<Entry>> =
            of_kind("view").map(|one| (one.name.as_str(), one)).collect();
        let named = |name: &str| -> Vec<String> {
            let names = views.get(name).into_iter().flat_map(|view| view.names.iter());
            names.filter(|name| known.contains(name.as_str())).cloned().collect()
        };
        // One that was made anew comes behind those that read it: what counts is the tables that it comes down to.
        for (name, view) in &views {
            let mut read = all_from([(*name).to_owned()], named).into_iter();
            if read.all(|name| views.contains_key(name.as_str()) || tables.contains(&name)) {
                self.connection.execute_batch(&view.sql)?;
                taken.insert(name);
            }
        }
        // One that names what is not there would fail where it fires, which it does on tables alone that are not written to.
        let is_complete = |trigger: &&Arc<Entry>| {
            let mut named = trigger.names.iter().filter(|name| known.contains(name.as_str()));
            taken.contains(trigger.table.as_str()) && named.all(|name| taken.contains(name.as_str()))
        };
        for trigger in of_kind("trigger").filter(is_complete) {
            self.connection.execute_batch(&trigger.sql)?;
        }
        Ok(())
    }

    fn put_rows(&self, table: &str, content: &Content) -> sqlite::Result<()> {
        let (list, marks) = (content.columns.join(", "), vec!["?"; content.columns.len()].join(", "));
        let sql = format!("INSERT INTO {} ({list}) VALUES ({marks})", qualified("main", table));
        let mut insert = self.connection.prepare(&sql)?;
        for row in &content.rows {
            insert.execute(sqlite::params_from_iter(row))?;
        }
        Ok(())
    }

    fn put_sequences(&self, of: &Moment, tables: &BTreeSet<String>) -> sqlite::Result<()> {
        let Some(sequences) = &of.sequences else { return Ok(()) };
        // Rows that were put in have begun them.
        self.connection.execute_batch("DELETE FROM main.sqlite_sequence")?;
        for (name, highest) in sequences.iter().filter(|(name, _)| tables.contains(&name.to_lowercase())) {
            let sql = "INSERT INTO main.sqlite_sequence (name, seq) VALUES (?1, ?2)";
            self.connection.execute(sql, sqlite::params![name, highest])?;
        }
        Ok(())
    }

    /// The objects of the main schema that have a text, in the order in which they were made; those that are as they were known
    /// are shared.
    ///
    /// # Errors
    ///
    /// SQLite cannot read its own catalogue.
    pub fn entries(&mut self, known: &[Arc<Entry>]) -> Result<Vec<Arc<Entry>>, SchemaError> {
        self.guard.begin(Mode::Own);
        let sql = "SELECT rowid, sql, type, name, tbl_name FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = statement.query_map([], |row| Entry::read(row, known))?;
        let entries = read.filter_map(sqlite::Result::transpose).collect::<sqlite::Result<_>>()?;
        Ok(entries)
    }
}

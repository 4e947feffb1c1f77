//! What is kept of a database before each step of its history, so that a part of it as it was then can be made later
//! without running the steps before: its catalogue, the few rows that migrations put in, and settings. What stays the same from one
//! step to the next is kept once. Knows no step.

use super::guard::Mode;
use super::rows::Carried;
use super::variant::Outcome;
use super::{Alteration, Effect, Entry, Kind, Live, SchemaError, qualified, quoted, sqlite};
use sqlite::types::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most rows of a table that are kept.
const ROWS: usize = 1_000;

/// The most bytes of all rows that are kept, one by one.
const BYTES: usize = 16 << 20;

/// A database at one moment of its history: its main schema, which has no virtual tables.
#[derive(Debug, Clone, Default)]
pub struct Moment {
    /// The objects that have a text, in the order in which they were made.
    pub entries: Arc<[Arc<Entry>]>,
    /// The rows of the tables that have any, by their names in lower case.
    pub(super) rows: Arc<BTreeMap<String, Arc<Content>>>,
    /// The highest numbers that AUTOINCREMENT gave, by table; `None` where no table ever had it.
    pub(super) sequences: Option<Arc<[(String, Value)]>>,
    /// Whether migrations run with foreign keys enforced.
    pub(super) keys: bool,
    /// What else a migration may have set for those behind it.
    pub(super) carried: Carried,
}

/// The rows of a table.
#[derive(Debug, PartialEq)]
pub(super) struct Content {
    /// The columns, quoted; the rowid is the first, where it is none of them.
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
}

/// The moments of a history, while it runs.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub moments: Vec<Moment>,
    /// What SQLite counts up with each change of the schema, and of rows.
    version: Option<i64>,
    changes: u64,
    bytes: usize,
}

impl Moment {
    /// Its tables, by their names in lower case.
    pub fn tables(&self) -> BTreeSet<String> {
        self.entries.iter().filter(|one| one.kind == "table").map(|one| one.name.clone()).collect()
    }
}

impl Record {
    /// Writes down what is there now, after these outcomes. False where that can't be done in short.
    pub fn note(&mut self, live: &mut Live, since: &[Outcome]) -> Result<bool, SchemaError> {
        live.guard.begin(Mode::Own);
        let before = self.moments.last().cloned().unwrap_or_default();
        let mut moment = Moment { keys: live.migrating_keys, carried: live.carried()?, ..before };
        let version = live.schema_version()?;
        let is_altered = self.version.replace(version) != Some(version);
        if (is_altered && live.has_statistics()?) || live.has_temporaries()? {
            return Ok(false);
        }
        let changes = live.connection.total_changes();
        let new = changes - std::mem::replace(&mut self.changes, changes);
        if is_altered {
            moment.entries = live.entries(&moment.entries)?.into();
        }
        if is_altered || new > 0 {
            if moment.entries.iter().any(|one| one.is_virtual) {
                return Ok(false);
            }
            let Some(rows) = self.rows(live, &moment, touched(since, new).as_ref())? else {
                return Ok(false);
            };
            moment.rows = Arc::new(rows);
            moment.sequences = live.sequences().ok().map(Arc::from);
        }
        self.moments.push(moment);
        Ok(true)
    }

    /// The rows that are there after these tables got some, or any.
    fn rows(
        &mut self,
        live: &Live,
        before: &Moment,
        touched: Option<&BTreeSet<String>>,
    ) -> sqlite::Result<Option<BTreeMap<String, Arc<Content>>>> {
        let mut rows = BTreeMap::new();
        for table in before.entries.iter().filter(|one| one.kind == "table") {
            let had = before.rows.get(&table.name);
            if had.is_none() && touched.is_some_and(|names| !names.contains(&table.name)) {
                continue;
            }
            let content = match live.content(&table.name)? {
                content if content.rows.is_empty() => continue,
                content if content.rows.len() > ROWS => return Ok(None),
                content => content,
            };
            let content = match had {
                Some(had) if **had == content => Arc::clone(had),
                _ => {
                    self.bytes += content.rows.iter().flatten().map(bytes).sum::<usize>();
                    Arc::new(content)
                }
            };
            rows.insert(table.name.clone(), content);
        }
        Ok((self.bytes <= BYTES).then_some(rows))
    }
}

/// The tables that may have got rows, in lower case; `None`: others may have, by a trigger.
fn touched(since: &[Outcome], changes: u64) -> Option<BTreeSet<String>> {
    let effects = || since.iter().filter_map(|one| one.applied.outcome.as_ref().ok());
    let name = |effect: &Effect| match (effect.kind, &effect.alteration) {
        (_, Some(Alteration::RenameTable(to))) => Some(to.to_lowercase()),
        (Kind::Insert | Kind::Replace | Kind::CreateTable, _) if effect.changed => {
            effect.object.as_ref().map(|name| name.to_lowercase())
        }
        _ => None,
    };
    let is_all = effects().map(|effect| effect.rows).sum::<u64>() == changes;
    is_all.then(|| effects().filter_map(name).collect())
}

fn bytes(value: &Value) -> usize {
    let own = match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        _ => 0,
    };
    size_of::<Value>() + own
}

impl Live {
    /// Whether there are statistics of the planner, which a moment does not hold.
    fn has_statistics(&self) -> sqlite::Result<bool> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name LIKE 'sqlite\\_stat%' ESCAPE '\\')";
        self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
    }

    /// Whether there are temporary objects, which it does not hold either.
    fn has_temporaries(&self) -> sqlite::Result<bool> {
        if !self.has_temporary.get() {
            return Ok(false);
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM temp.sqlite_schema)";
        self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
    }

    /// What SQLite counts up with each change of the main schema.
    fn schema_version(&self) -> sqlite::Result<i64> {
        self.connection.prepare_cached("PRAGMA main.schema_version")?.query_row([], |row| row.get(0))
    }

    /// The rows of a table, one more than are kept at the most.
    fn content(&self, table: &str) -> sqlite::Result<Content> {
        let from = qualified("main", table);
        let mut content = Content { columns: Vec::new(), rows: Vec::new() };
        if self
            .connection
            .query_row(&format!("SELECT NOT EXISTS (SELECT 1 FROM {from})"), [], |row| row.get(0))?
        {
            return Ok(content);
        }
        let mut statement = self.pragma("main", "table_xinfo", table)?;
        let read = |row: &sqlite::Row<'_>| Ok((row.get(1)?, row.get(6)?));
        let all: Vec<(String, i64)> = statement.query_map([], read)?.collect::<sqlite::Result<_>>()?;
        let names: Vec<String> =
            all.into_iter().filter(|(_, hidden)| *hidden == 0).map(|(name, _)| name).collect();
        content.columns = names.iter().map(|name| quoted(name)).collect();
        let has_name = names.iter().any(|name| name.eq_ignore_ascii_case("rowid"));
        if !has_name && self.connection.prepare(&format!("SELECT rowid FROM {from}")).is_ok() {
            content.columns.insert(0, "rowid".to_owned());
        }
        let sql = format!("SELECT {} FROM {from} LIMIT {}", content.columns.join(", "), ROWS + 1);
        let mut statement = self.connection.prepare(&sql)?;
        let width = content.columns.len();
        let read = |row: &sqlite::Row<'_>| (0..width).map(|at| row.get(at)).collect();
        content.rows = statement.query_map([], read)?.collect::<sqlite::Result<_>>()?;
        Ok(content)
    }

    /// The highest numbers that AUTOINCREMENT gave, by table; an error where no table ever had it.
    fn sequences(&self) -> sqlite::Result<Vec<(String, Value)>> {
        let mut statement = self.connection.prepare("SELECT name, seq FROM main.sqlite_sequence")?;
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }
}

#[cfg(test)]
mod tests;

//! The statistics that ANALYZE left in a file, as they stand there: for a copy of its schema, and to see how old they are.

use super::FileDatabase;
use crate::schema::{Live, SchemaError, guard::Mode, qualified, quoted_text, same, sqlite};
use sqlite::types::Value;

/// The tables of statistics with their columns.
const TABLES: [(&str, &[&str]); 2] = [
    ("sqlite_stat1", &["tbl", "idx", "stat"]),
    ("sqlite_stat4", &["tbl", "idx", "neq", "nlt", "ndlt", "sample"]),
];
/// As many rows are read of each.
const MOST: u32 = 20_000;

/// The rows of the tables of statistics.
#[derive(Debug, Clone, Default)]
pub struct Statistics(Vec<(&'static str, Vec<Vec<Value>>)>);

/// A row of `sqlite_stat1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// The table.
    pub table: String,
    /// The index; `None` where the row is about the table alone.
    pub index: Option<String>,
    /// Its numbers, the number of rows first, and words behind them.
    pub text: String,
}

impl Stat {
    /// The row as VALUES has it.
    pub fn values(&self) -> String {
        let index = self.index.as_deref().map_or_else(|| "NULL".to_owned(), quoted_text);
        format!("({}, {index}, {})", quoted_text(&self.table), quoted_text(&self.text))
    }
}

impl Statistics {
    /// Those of rows of `sqlite_stat1`, in the place of what ANALYZE would find.
    pub fn of(stats: &[Stat]) -> Self {
        let row = |stat: &Stat| {
            let index = stat.index.clone().map_or(Value::Null, Value::Text);
            vec![Value::Text(stat.table.clone()), index, Value::Text(stat.text.clone())]
        };
        Self(vec![("sqlite_stat1", stats.iter().map(row).collect())])
    }

    /// Reads them, within a transaction.
    pub(super) fn read(file: &FileDatabase) -> Self {
        Self(TABLES.map(|(table, columns)| (table, file.own_rows(table, columns, MOST))).to_vec())
    }

    /// The rows of `sqlite_stat1`.
    pub fn rows(&self) -> Vec<Stat> {
        let own = self.0.iter().filter(|(table, _)| *table == "sqlite_stat1").flat_map(|(_, rows)| rows);
        own.filter_map(|row| match row.as_slice() {
            [Value::Text(table), index, Value::Text(text)] => Some(Stat {
                table: table.clone(),
                index: if let Value::Text(index) = index { Some(index.clone()) } else { None },
                text: text.clone(),
            }),
            _ => None,
        })
        .collect()
    }

    /// How many samples there are of an index, and the most rows that share the first columns of one: the first, the first
    /// two, and so on. What the samples are is not said.
    pub fn samples(&self, table: &str, index: &str) -> (u64, Vec<u64>) {
        let all = self.0.iter().filter(|(table, _)| *table == "sqlite_stat4").flat_map(|(_, rows)| rows);
        let (mut count, mut most): (u64, Vec<u64>) = (0, Vec::new());
        for row in all {
            let [Value::Text(of), Value::Text(own), Value::Text(equal), ..] = row.as_slice() else {
                continue;
            };
            if !same(of, table) || !same(own, index) {
                continue;
            }
            let equal: Vec<u64> = equal.split(' ').map_while(|number| number.parse().ok()).collect();
            most.resize(most.len().max(equal.len()), 0);
            most.iter_mut().zip(equal).for_each(|(most, equal)| *most = equal.max(*most));
            count += 1;
        }
        (count, most)
    }

    /// Whether there are samples of values.
    pub fn has_samples(&self) -> bool {
        self.0.iter().any(|(table, rows)| *table == "sqlite_stat4" && !rows.is_empty())
    }
}

impl Live {
    /// Puts rows into the tables of statistics, and has SQLite read them.
    ///
    /// # Errors
    /// SQLite has no memory left.
    pub fn put_statistics(&mut self, statistics: &Statistics) -> Result<(), SchemaError> {
        if statistics.0.iter().all(|(_, rows)| rows.is_empty()) {
            return Ok(());
        }
        self.guard.begin(Mode::Own);
        self.connection.execute_batch("ANALYZE sqlite_schema")?;
        for (table, rows) in &statistics.0 {
            let table = qualified("main", table);
            for row in rows {
                let marks = vec!["?"; row.len()].join(", ");
                let sql = format!("INSERT INTO {table} VALUES ({marks})");
                // A build of SQLite without samples has no table for them.
                let Ok(mut statement) = self.connection.prepare_cached(&sql) else { break };
                let _ = statement.execute(sqlite::params_from_iter(row));
            }
        }
        self.connection.execute_batch("ANALYZE sqlite_schema")?;
        self.forget();
        Ok(())
    }
}

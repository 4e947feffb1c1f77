//! The way of rows into the database: many with one statement, and only those that differ from what a table holds. Knows
//! neither the values nor the statements that are measured.

use super::data::{Data, DataSet, Shapes, search};
use super::model::{Model, TableModel};
use crate::schema::{
    Bench, Prepared, SchemaError, Table, TableKind, qualified, quoted, sqlite::types::Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// Rows that one statement inserts.
const BATCH: u64 = 50;
/// So many columns have room for their parameters in it.
const MOST_COLUMNS: usize = 600;

/// Fills rows into the tables of a database.
pub(super) struct Filler<'a, 'b> {
    bench: &'b Bench<'a>,
    model: &'b Model,
    inserts: BTreeMap<usize, Insert<'a>>,
    shapes: Shapes,
    /// The tables that can't be filled, with the reason.
    pub failed: BTreeMap<usize, String>,
}

/// The data set that a table is filled with, and the table.
type Filled<'f> = (&'f DataSet<'f>, usize);

/// How one table is filled.
pub(super) struct Insert<'a> {
    /// The columns that are.
    pub columns: Vec<usize>,
    /// Inserts a row.
    pub statement: Prepared<'a>,
    /// Empties it.
    pub clear: Prepared<'a>,
    /// Inserts [`BATCH`] rows; `None` where a row was refused, or where a refused row would not take back the others.
    batch: Option<Prepared<'a>>,
    /// The data set whose rows it holds, and their number.
    held: Option<(Data, u64)>,
    /// No values were found that its CHECKs allow, so that they are left unasked: no plan depends on them.
    is_unchecked: bool,
}

impl<'a, 'b> Filler<'a, 'b> {
    /// Prepares to fill these tables.
    pub fn new(bench: &'b Bench<'a>, model: &'b Model, tables: impl Iterator<Item = usize>) -> Self {
        let mut filler = Self {
            bench,
            model,
            inserts: BTreeMap::new(),
            shapes: Shapes::default(),
            failed: BTreeMap::new(),
        };
        for index in tables {
            let Some(table) = model.tables.get(index) else { continue };
            match filler.prepare(table) {
                Ok(insert) => {
                    filler.inserts.insert(index, insert);
                }
                Err(reason) => {
                    filler.failed.insert(index, reason);
                }
            }
        }
        filler
    }

    fn prepare(&self, table: &TableModel) -> Result<Insert<'a>, String> {
        if !table.is_filled {
            return Err("its module is not known".to_owned());
        }
        let columns: Vec<usize> = (0..table.columns.len())
            .filter(|column| table.columns.get(*column).is_some_and(|column| !column.is_computed))
            .collect();
        let names: Vec<String> = columns
            .iter()
            .filter_map(|column| table.columns.get(*column))
            .map(|column| quoted(&column.name))
            .collect();
        let name = qualified(&table.schema, &table.name);
        let holes = format!("({})", vec!["?"; columns.len()].join(", "));
        let prepare = |sql: &str| self.bench.prepare_own(sql).map_err(|error| error.to_string());
        let insert = format!("INSERT INTO {name} ({}) VALUES {holes}", names.join(", "));
        let many = table.fixed.is_none() && table.takes_all_or_none && columns.len() <= MOST_COLUMNS;
        let more = format!(", {holes}").repeat(BATCH as usize - 1);
        Ok(Insert {
            statement: prepare(&insert)?,
            clear: prepare(&format!("DELETE FROM {name}"))?,
            batch: if many { prepare(&format!("{insert}{more}")).ok() } else { None },
            columns,
            held: None,
            is_unchecked: false,
        })
    }

    /// A data set of so many rows.
    pub fn set(&self, data: Data, size: u64) -> DataSet<'_> {
        DataSet { model: self.model, data, size, shapes: &self.shapes }
    }

    /// Tries out what the CHECKs of each table allow.
    pub fn learn(&mut self) -> Result<(), SchemaError> {
        let checked: Vec<usize> = self.inserts.keys().copied().collect();
        for index in checked {
            let Some(table) = self.model.tables.get(index).filter(|table| table.has_checks) else { continue };
            let Some(insert) = self.inserts.get_mut(&index) else { continue };
            let _ = self.bench.execute(&mut insert.clear, &[]);
            if let Some(shapes) = search(self.bench, self.model, index, table, insert, &self.shapes) {
                self.shapes = shapes;
            }
        }
        self.bench.clear()
    }

    /// Fills all tables anew. What can't be filled is noted.
    pub fn fill(&mut self, data: Data, size: u64) -> Result<(), SchemaError> {
        self.bench.clear()?;
        for insert in self.inserts.values_mut() {
            insert.held = None;
        }
        self.refill(data, size, |_| true);
        Ok(())
    }

    /// Fills those tables anew that hold other rows than they have in this data set.
    pub fn change(&mut self, data: Data, size: u64, wanted: &BTreeSet<usize>) {
        self.refill(data, size, |table| wanted.contains(&table));
    }

    fn refill(&mut self, data: Data, size: u64, is_wanted: impl Fn(usize) -> bool) {
        let model = self.model;
        let set = DataSet { model, data, size, shapes: &self.shapes };
        let changed = self.inserts.iter_mut().filter(|(index, insert)| {
            is_wanted(**index) && insert.held != Some((model.alike(**index, data), size))
        });
        for (&index, insert) in changed {
            let rows = set.rows(index);
            insert.held = Some((model.alike(index, data), size));
            let (mut made, mut refused) = insert.fill(self.bench, (&set, index), rows);
            let is_fixed = model.tables.get(index).is_some_and(|table| table.fixed.is_some());
            let is_check = |reason: &String| reason.starts_with("CHECK constraint failed");
            if !is_fixed
                && !insert.is_unchecked
                && made * 10 < rows * 9
                && refused.as_ref().is_some_and(is_check)
            {
                insert.is_unchecked = true;
                (made, refused) = insert.fill(self.bench, (&set, index), rows);
            }
            if let Some(reason) = refused.filter(|_| !is_fixed && made * 10 < rows * 9) {
                self.failed.insert(index, reason);
            }
        }
    }
}

/// Whether rows can be put into a table.
pub(super) fn is_filled(table: &Table) -> bool {
    match &table.kind {
        TableKind::Ordinary => true,
        TableKind::Virtual(module) => {
            ["fts", "rtree"].iter().any(|known| module.to_ascii_lowercase().starts_with(known))
        }
        TableKind::Shadow => false,
    }
}

impl Insert<'_> {
    /// Takes the place of what the table holds. Gives how many rows were taken, and why it was not emptied, or the first of the others
    /// not taken.
    fn fill(&mut self, bench: &Bench<'_>, (set, table): Filled<'_>, rows: u64) -> (u64, Option<String>) {
        let is_unchecked = self.is_unchecked;
        let mut fill = || {
            let emptied = bench.execute(&mut self.clear, &[]).err();
            let (made, refused) = self.rows(bench, (set, table), rows);
            (made, emptied.or(refused))
        };
        if is_unchecked { bench.unchecked(fill) } else { fill() }
    }

    /// Inserts rows. Gives how many were taken, and why the first of the others was not.
    fn rows(&mut self, bench: &Bench<'_>, (set, table): Filled<'_>, rows: u64) -> (u64, Option<String>) {
        let (mut row, mut made, mut reason) = (0, 0, None);
        while row < rows {
            if row + BATCH <= rows && self.many(bench, set, table, row) {
                made += BATCH;
                row += BATCH;
                continue;
            }
            let values: Vec<Value> = set.row(table, &self.columns, row).collect();
            match bench.execute(&mut self.statement, &values) {
                Ok(_) => made += 1,
                Err(error) => {
                    reason.get_or_insert(error);
                    // A table that takes none of the first rows takes none at all.
                    if made == 0 && row > 3 {
                        break;
                    }
                }
            }
            row += 1;
        }
        (made, reason)
    }

    /// Inserts many rows from this one on, or none of them: then they are inserted one by one, from now on.
    fn many(&mut self, bench: &Bench<'_>, set: &DataSet<'_>, table: usize, row: u64) -> bool {
        let Some(batch) = &mut self.batch else { return false };
        let values: Vec<Value> =
            (row..row + BATCH).flat_map(|row| set.row(table, &self.columns, row)).collect();
        let is_taken = bench.execute(batch, &values).is_ok();
        if !is_taken {
            self.batch = None;
        }
        is_taken
    }
}

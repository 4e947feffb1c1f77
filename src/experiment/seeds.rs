//! Rows made for an experiment. Each value tells its column and its row; rowids have gaps; a child has the values of its
//! parent. Knows tables; knows no migration.

use super::{Rows, checks, observe, unit::has_word};
use crate::schema::{
    Affinity, Column, ForeignKey, Generated, Live, Objects, SchemaError, Table, TableKind, qualified, quoted,
    same, sqlite::types::Value,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ptr;

/// The rowids of the rows, with gaps, so that it shows where they are given anew.
const ROWIDS: [i64; 3] = [11, 23, 47];

/// A rowid that was given and is gone.
const GONE: i64 = 95;

/// The rowid of the row that is not like the others.
const ODD: i64 = 59;

/// Values are numbers of six digits from here on: as text they are valid JSON, hexadecimal digits and a Julian day.
const FIRST: i64 = 200_000;

/// Levels of foreign keys that are followed to the value of a parent.
const LEVELS: usize = 8;

/// Puts rows of these kinds into tables, and says how many each got.
pub(super) fn seed(
    live: &mut Live,
    objects: &Objects,
    tables: &BTreeSet<String>,
    rows: &[Rows],
) -> Result<BTreeMap<String, usize>, SchemaError> {
    let seeds = Seeds::new(objects);
    live.begin_rows(seeds.needs_triggers())?;
    let mut counts = BTreeMap::new();
    for name in tables {
        // Where a virtual table keeps its rows, only that knows how.
        let Some(table) = objects.table("main", name).filter(|table| observe::is_ordinary(table)) else {
            continue;
        };
        let is_plain = rows.contains(&Rows::Plain);
        let plain = if is_plain { seeds.plain(table) } else { Vec::new() };
        let sql = insertion(table);
        let made = plain.into_iter().chain(rows.iter().filter_map(|odd| seeds.odd(table, *odd)));
        let count = made.filter(|row| put(live, table, &sql, row)).count();
        if table.autoincrement && is_plain {
            let gone = seeds.row(table, 8, GONE);
            if put(live, table, &sql, &gone) {
                let sql = format!("DELETE FROM {} WHERE rowid = {GONE}", qualified("main", &table.name));
                // It was put in just before.
                let _ = live.put(&sql, &[]);
            }
        }
        counts.insert(name.clone(), count);
    }
    live.end_rows()?;
    Ok(counts)
}

/// A row: its rowid, where that is no column, and its values.
struct Row {
    rowid: Option<i64>,
    values: Vec<Value>,
}

struct Seeds<'a> {
    objects: &'a Objects,
    /// The foreign keys of each table, by its name in lower case.
    keys: BTreeMap<String, Vec<&'a ForeignKey>>,
}

impl<'a> Seeds<'a> {
    fn new(objects: &'a Objects) -> Self {
        let mut keys: BTreeMap<String, Vec<&ForeignKey>> = BTreeMap::new();
        for key in &objects.foreign_keys {
            keys.entry(key.table.to_lowercase()).or_default().push(key);
        }
        Self { objects, keys }
    }

    /// The number of a column among those of all tables.
    fn serial(&self, table: &Table, column: &Column) -> i64 {
        let own = self.objects.tables.iter().filter(|table| table.schema == "main");
        let columns = own.flat_map(|table| table.columns.iter().map(move |column| (table, column)));
        let is_it = |(one, other): (&Table, &Column)| ptr::eq(one, table) && ptr::eq(other, column);
        columns.zip(1..).find(|(one, _)| is_it(*one)).map_or(0, |(_, number)| number)
    }

    /// Whether triggers keep another table in step that can't be told what it missed: an index of words.
    fn needs_triggers(&self) -> bool {
        let is_virtual = |table: &&Table| matches!(table.kind, TableKind::Virtual(_));
        let virtual_tables: Vec<&str> =
            self.objects.tables.iter().filter(is_virtual).map(|table| table.name.as_str()).collect();
        let names = |sql: &str| virtual_tables.iter().any(|name| has_word(sql, name));
        self.objects.triggers.iter().any(|trigger| names(&trigger.sql))
    }

    fn plain(&self, table: &Table) -> Vec<Row> {
        (0..).zip(ROWIDS).map(|(row, rowid)| self.row(table, row, rowid)).collect()
    }

    fn row(&self, table: &Table, row: i64, rowid: i64) -> Row {
        let values = columns(table).map(|column| self.value(table, column, row, rowid, 0)).collect();
        Row { rowid: has_hidden_rowid(table).then_some(rowid), values }
    }

    fn value(&self, table: &Table, column: &Column, row: i64, rowid: i64, level: usize) -> Value {
        if let Some((parent, target, turn)) = self.parent(table, column).filter(|_| level < LEVELS) {
            // Of two columns that refer to one table, each has another of its rows.
            let turned = usize::try_from(row).ok().filter(|row| *row < ROWIDS.len());
            let turned = turned.map(|row| (row + turn) % ROWIDS.len());
            let (row, rowid) =
                turned.and_then(|row| Some((row as i64, *ROWIDS.get(row)?))).unwrap_or((row, rowid));
            return self.value(parent, target, row, rowid, level + 1);
        }
        if table.rowid_alias().is_some_and(|alias| alias.name == column.name) {
            return Value::Integer(rowid);
        }
        let number = FIRST + self.serial(table, column) * 10 + row;
        match column.affinity {
            Affinity::Integer | Affinity::Numeric => Value::Integer(number),
            Affinity::Real => Value::Real(number as f64),
            Affinity::Blob if !column.declared_type.is_empty() => {
                Value::Blob(number.to_string().into_bytes())
            }
            Affinity::Text | Affinity::Blob => Value::Text(number.to_string()),
        }
    }

    /// The column of another table, or of another column, that a foreign key of this one alone refers to; and how many keys
    /// of the table before it refer to the same table.
    fn parent(&self, table: &Table, column: &Column) -> Option<(&'a Table, &'a Column, usize)> {
        let own = self.keys.get(&table.name.to_lowercase())?;
        own.iter().enumerate().find_map(|(at, key)| {
            let is_it = |pair: &&(String, Option<String>)| pair.0.eq_ignore_ascii_case(&column.name);
            let target = key.columns.iter().find(is_it)?.1.as_ref()?;
            let parent = self.objects.table("main", &key.parent)?;
            let found = parent.columns.iter().find(|one| one.name.eq_ignore_ascii_case(target))?;
            let is_itself = parent.name == table.name && found.name == column.name;
            let earlier = own.iter().take(at).filter(|one| same(&one.parent, &key.parent)).count();
            (!is_itself).then_some((parent, found, earlier))
        })
    }

    /// A row that is not like the others; `None` where the table allows none.
    fn odd(&self, table: &Table, rows: Rows) -> Option<Row> {
        let (first, mut row) =
            (self.row(table, 0, ROWIDS[0]), self.row(table, 3 + rows as i64, ODD + rows as i64));
        let keyed = self.keyed(table, rows);
        let mut differs = false;
        for ((column, value), same) in columns(table).zip(&mut row.values).zip(first.values) {
            let is_key = keyed.contains(&column.name.to_lowercase());
            let odd = match rows {
                Rows::Plain => None,
                Rows::Duplicates => (!is_key).then_some(same),
                Rows::Nulls => {
                    (!is_key && !column.not_null && column.primary_key == 0).then_some(Value::Null)
                }
                Rows::Types => {
                    let is_number = matches!(column.affinity, Affinity::Integer | Affinity::Real);
                    let is_free = !is_key && !table.strict && column.primary_key == 0;
                    let is_child = self.parent(table, column).is_some();
                    (is_number && is_free && !is_child).then(|| Value::Text("some text".to_owned()))
                }
            };
            differs |= odd.is_some();
            *value = odd.unwrap_or_else(|| value.clone());
        }
        differs.then_some(row)
    }

    /// The columns whose values must be others, in lower case: of each key one.
    fn keyed(&self, table: &Table, rows: Rows) -> BTreeSet<String> {
        let mut keyed: BTreeSet<String> =
            table.rowid_alias().map(|alias| alias.name.to_lowercase()).into_iter().collect();
        for index in self.objects.indexes_of("main", &table.name).filter(|index| index.unique) {
            let key: Vec<String> = index
                .columns
                .iter()
                .filter(|column| column.key)
                .filter_map(|column| column.name.as_ref().map(|name| name.to_lowercase()))
                .collect();
            let has_one = key.iter().any(|name| keyed.contains(name));
            // NULL is equal to nothing, so a key may have it.
            if !has_one && rows != Rows::Nulls {
                keyed.extend(key.last().cloned());
            }
        }
        keyed
    }
}

/// What puts a row into a table, its rowid in front where that is no column.
fn insertion(table: &Table) -> String {
    let names = columns(table).map(|column| quoted(&column.name));
    let rowid = has_hidden_rowid(table).then(|| "rowid".to_owned());
    let all: Vec<String> = rowid.into_iter().chain(names).collect();
    let marks = vec!["?"; all.len()].join(", ");
    format!("INSERT INTO {} ({}) VALUES ({marks})", qualified("main", &table.name), all.join(", "))
}

/// Puts a row in; where a CHECK refuses it, values are tried that stand in the text of the table.
fn put(live: &mut Live, table: &Table, sql: &str, row: &Row) -> bool {
    let given = |values: &[Value]| -> Vec<Value> {
        row.rowid.map(Value::Integer).into_iter().chain(values.iter().cloned()).collect()
    };
    let mut try_it = |values: &[Value]| live.put(sql, &given(values));
    match try_it(&row.values) {
        Ok(_) => true,
        Err(message) => checks::please(table, &row.values, message, &mut try_it),
    }
}

/// The columns of a table that take a value.
pub(super) fn columns(table: &Table) -> impl Iterator<Item = &Column> {
    table.columns.iter().filter(|column| column.generated == Generated::No && !column.hidden)
}

/// Whether a table has rowids that are no column of it, and can be named.
pub(super) fn has_hidden_rowid(table: &Table) -> bool {
    let takes_name = |column: &Column| column.name.eq_ignore_ascii_case("rowid");
    !table.without_rowid && table.rowid_alias().is_none() && !table.columns.iter().any(takes_name)
}

#[cfg(test)]
mod tests;

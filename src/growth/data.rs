//! Rows: the value of every column of every row of a data set. A pure function of table, column, row and data set, so
//! that two runs fill in the same rows. And what has to be known for it: what the CHECKs of a table let in.

use super::checked;
use super::fill::Insert;
use super::flags::Apart;
use super::literals::Literal;
use super::model::{ColumnModel, Model, Rows, TableModel};
use super::uses::At;
use super::values::{Kind, mix};
use crate::schema::{Bench, sqlite::types::Value};
use std::collections::BTreeMap;

/// How the values of flags, and of columns that are looked for, are distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Data {
    /// Each value of a flag is as frequent as the others.
    Uniform,
    /// Nearly all rows have the first value of each flag.
    FirstCommon,
    /// Nearly all rows have the last value of each flag.
    LastCommon,
    /// Rows that are looked for together are few big groups.
    FewGroups,
    /// Rows that are found by a key are few big groups, and of their own in all that is compared besides.
    SharedKey,
    /// Tables around a subquery have few rows, and those in it many for each.
    Nested,
}

impl Data {
    /// In the order in which tables are filled.
    pub const ALL: [Self; 6] =
        [Self::Uniform, Self::FirstCommon, Self::LastCommon, Self::FewGroups, Self::SharedKey, Self::Nested];

    /// Whether most rows have one value.
    pub const fn has_common(self) -> bool {
        matches!(self, Self::FirstCommon | Self::LastCommon)
    }

    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::FirstCommon => "first_common",
            Self::LastCommon => "last_common",
            Self::FewGroups => "few_groups",
            Self::SharedKey => "shared_key",
            Self::Nested => "nested",
        }
    }
}

/// The rows around a subquery in [`Data::Nested`]: more than what tests of them leave out.
const AROUND: u64 = 40;

/// What a CHECK makes of a column, found by trying.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Literal(Literal),
    /// Text or bytes of a length.
    Length(usize, bool),
    Null,
    /// More than the others.
    More(i64),
    /// One of so many from a number on.
    Within(i64, i64),
    /// What another column of the row has, one more, or one less.
    Beside(At, i64),
    /// Always a value of its own.
    Ordinary,
    Json,
}

/// The rows of all tables in one data set.
pub(super) struct DataSet<'a> {
    pub model: &'a Model,
    pub data: Data,
    /// Rows of each table that grows.
    pub size: u64,
    pub shapes: &'a Shapes,
}

/// What CHECKs make of columns.
#[derive(Debug, Default, Clone)]
pub(super) struct Shapes(pub(super) BTreeMap<At, Shape>);

impl DataSet<'_> {
    /// The rows of a table.
    pub fn rows(&self, table: usize) -> u64 {
        let fixed = |table: &TableModel| {
            let is_outer = self.data == Data::Nested && table.is_outer;
            table.fixed.or(is_outer.then_some(AROUND))
        };
        self.model.tables.get(table).and_then(fixed).unwrap_or(self.size)
    }

    /// Which thing a row of a column stands for; `None` where it stands for nothing.
    fn thing(&self, at: At, row: u64, depth: u8) -> Option<u64> {
        let column = self.model.column(at)?;
        let is_grouped = match self.data {
            Data::FewGroups => column.can_group,
            Data::SharedKey => column.is_shared,
            _ => false,
        };
        // Each row of a parent has a child: who looks for one without finds none.
        let is_complete = self.data == Data::FirstCommon;
        match column.rows {
            Rows::Own => Some(row),
            Rows::Shifted => Some(row + self.rows(at.0) / 2),
            Rows::Groups => Some(if is_grouped { row % 2 } else { row / 4 }),
            Rows::Child { .. } if depth > 8 => Some(row),
            Rows::Child { parent, unique, several } => {
                let parents = self.rows(parent.0).max(1);
                let row = match unique {
                    _ if parent.0 == at.0 && unique => row.checked_sub(1)?,
                    _ if parent.0 == at.0 => {
                        let before = row.checked_sub(1)?;
                        before.checked_sub((before + 4 - parents / 2 % 4) % 4)?
                    }
                    true if parents >= self.size && !is_complete => row + parents / 2,
                    true => row,
                    false if is_grouped && !several => (parents / 2 + row % 2) % parents,
                    false if is_grouped && self.is_of_one(at.0, row) => (parents / 2 + parents - 1) % parents,
                    false if parents >= self.rows(at.0) && is_complete => (parents / 2 + row) % parents,
                    // The row in the middle, from which parameters are taken, has children.
                    false if parents >= self.rows(at.0) => (parents / 2 + row / 4) % parents,
                    false => row % parents,
                };
                self.thing(parent, row, depth + 1)
            }
        }
    }

    /// Whether a row belongs to the one parent that has many, where a key has several columns: the others have few, the one in the
    /// middle among them, since part of a key may find the rows of all.
    fn is_of_one(&self, table: usize, row: u64) -> bool {
        let rows = self.rows(table);
        (rows / 2..rows / 2 + rows / 4).contains(&row)
    }

    /// The values of a row.
    pub fn row(&self, table: usize, columns: &[usize], row: u64) -> impl Iterator<Item = Value> {
        columns.iter().map(move |column| self.value((table, *column), row))
    }

    /// The value of a row of a column.
    pub fn value(&self, at: At, row: u64) -> Value {
        let Some(column) = self.model.column(at) else { return Value::Null };
        let rows = self.rows(at.0);
        if let Some(flag) = self.flag(column, at, row, rows) {
            return flag;
        }
        if let Some(shape) = self.shapes.0.get(&at) {
            return self.shaped(shape, at, row);
        }
        if let Some(sentinel) = self.sentinel(column, at, row, rows) {
            return sentinel;
        }
        let thing = match self.thing(at, row, 0) {
            Some(thing) => thing,
            None if column.can_be_null => return Value::Null,
            None => row,
        };
        plain(column, thing)
    }

    /// The value that a row of a column has where none stands apart.
    pub fn ordinary(&self, at: At, row: u64) -> Value {
        let thing = self.thing(at, row, 0).unwrap_or(row);
        self.model.column(at).map_or(Value::Null, |column| plain(column, thing))
    }

    fn shaped(&self, shape: &Shape, at: At, row: u64) -> Value {
        match shape {
            Shape::Literal(literal) => literal.value(),
            Shape::Length(length, true) => Value::Text(format!("{row:0>length$}")),
            Shape::Length(length, false) => {
                Value::Blob(mix(row).to_be_bytes().into_iter().cycle().take(*length).collect())
            }
            Shape::Null => Value::Null,
            Shape::More(more) => Value::Integer(row as i64 + more),
            Shape::Within(least, count) => Value::Integer(row as i64 % count + least),
            Shape::Beside(other, more) => beside(self.value(*other, row), *more),
            Shape::Ordinary => self.ordinary(at, row),
            Shape::Json => json(row),
        }
    }

    fn flag(&self, column: &ColumnModel, at: At, row: u64, rows: u64) -> Option<Value> {
        let count = column.flags.len() as u64;
        let last = count.checked_sub(1)?;
        // The rare ones follow the row in the middle, which parameters are taken from.
        let rare = row.checked_sub(rows / 2 + 1).map(|past| past / 4).filter(|rare| *rare < last);
        let index = match (column.common_flag(self.data).map(|common| common as u64), rare) {
            (Some(common), Some(rare)) => {
                if rare < common {
                    rare
                } else {
                    rare + 1
                }
            }
            (Some(common), None) => common,
            _ => seed(at, row) % count,
        };
        column.flags.get(index as usize).map(Literal::value)
    }

    fn sentinel(&self, column: &ColumnModel, at: At, row: u64, rows: u64) -> Option<Value> {
        let is_rare = row.checked_sub(rows / 2 + 1).is_some_and(|past| past < 4);
        if column.sentinels.is_empty() {
            let is_common = column.is_excluded && self.data == Data::FirstCommon && !is_rare;
            return is_common.then(|| plain(column, 0));
        }
        let random = seed(at, row);
        let stands_apart = match (self.data, column.apart) {
            (Data::FirstCommon, Apart::Often) => !is_rare,
            (Data::LastCommon, _) | (_, Apart::Rarely) => is_rare,
            _ => random.is_multiple_of(2),
        };
        let count = column.sentinels.len() as u64;
        column.sentinels.get((random / 2 % count) as usize).filter(|_| stands_apart).map(Literal::value)
    }
}

/// The value that stands for a thing in a column.
pub(super) fn plain(column: &ColumnModel, thing: u64) -> Value {
    if column.is_json { json(thing) } else { column.kind.value(thing) }
}

fn json(thing: u64) -> Value {
    let members: Vec<String> =
        ["k", "id", "name", "type", "value"].iter().map(|key| format!("\"{key}\":\"v{thing:09}\"")).collect();
    Value::Text(format!("{{{}}}", members.join(",")))
}

fn seed((table, column): At, row: u64) -> u64 {
    mix(mix(table as u64 * 1000 + column as u64) ^ row)
}

/// A value just above another one, just below it, or the same.
fn beside(value: Value, more: i64) -> Value {
    match value {
        Value::Integer(number) => Value::Integer(number.saturating_add(more)),
        Value::Real(number) => Value::Real(number + more as f64),
        Value::Text(text) if more > 0 => Value::Text(text + "z"),
        Value::Text(mut text) if more < 0 => {
            text.pop();
            Value::Text(text)
        }
        Value::Blob(bytes) if more > 0 => Value::Blob([bytes.as_slice(), &[0xff]].concat()),
        Value::Blob(mut bytes) if more < 0 => {
            bytes.pop();
            Value::Blob(bytes)
        }
        same => same,
    }
}

/// Shapes with which the first rows are let in.
pub(super) fn search(
    bench: &Bench<'_>,
    model: &Model,
    index: usize,
    table: &TableModel,
    insert: &mut Insert<'_>,
    known: &Shapes,
) -> Option<Shapes> {
    let choices: Vec<(At, Vec<Option<Shape>>)> = table
        .columns
        .iter()
        .enumerate()
        .filter(|(_, column)| !column.tries.is_empty() || (column.can_be_null && table.columns.len() < 12))
        .map(|(number, column)| ((index, number), shapes(column)))
        .collect();
    let rows: &[u64] = if table.fixed == Some(1) { &[0] } else { &[0, 1, 57] };
    // The values of flags differ from row to row.
    let more: &[u64] = if table.fixed.is_some() { rows } else { &[2, 3, 4, 5, 6, 49, 50, 51, 52, 53] };
    let mut refused = |shapes: &Shapes, data: Data, rows: &[u64]| {
        let set = DataSet { model, data, size: 100, shapes };
        let why = |row: &u64| {
            let values: Vec<Value> = set.row(index, &insert.columns, *row).collect();
            bench.execute(&mut insert.statement, &values).err()
        };
        let refused = rows.iter().find_map(why);
        let _ = bench.execute(&mut insert.clear, &[]);
        refused
    };
    let pleasing =
        checked::pleasing(table, &choices, known, &mut |shapes| refused(shapes, Data::Uniform, rows));
    let mut lets_in = |shapes: &Shapes, data: Data, rows: &[u64]| refused(shapes, data, rows).is_none();
    let mut second = None;
    for shapes in pleasing.into_iter().chain(checked::attempts((index, table), &choices, known)) {
        if !lets_in(&shapes, Data::Uniform, rows) {
            continue;
        }
        if [Data::Uniform, Data::FirstCommon, Data::LastCommon]
            .iter()
            .all(|data| lets_in(&shapes, *data, more))
        {
            return Some(shapes);
        }
        second.get_or_insert(shapes);
    }
    second
}

/// What may please the CHECKs that name a column; first what it would be without them.
fn shapes(column: &ColumnModel) -> Vec<Option<Shape>> {
    let mut found = vec![None];
    let (least, count) = (*column.bounds.start(), column.bounds.end().saturating_sub(*column.bounds.start()));
    if (1..i64::MAX / 2).contains(&count) && least != i64::MIN {
        found.push(Some(Shape::Within(least, count + 1)));
    }
    let can_be_text = column.has_length || !matches!(column.kind, Kind::Integer | Kind::Real);
    for literal in &column.tries {
        if let Literal::Integer(number) = *literal {
            if let (true, Ok(length @ 1..=4096)) = (can_be_text, usize::try_from(number)) {
                let is_text = column.kind == Kind::Text;
                found.push(Some(Shape::Length(length, is_text)));
                found.push(Some(Shape::Length(length, !is_text)));
            }
            found.push(Some(Shape::More(number + 1)));
            found.extend([number, number - 1].map(|near| Some(Shape::Literal(Literal::Integer(near)))));
        } else {
            found.push(Some(Shape::Literal(literal.clone())));
        }
    }
    if column.can_be_null {
        found.push(Some(Shape::Null));
    }
    if !column.tries.is_empty() && can_be_text {
        found.push(Some(Shape::Json));
    }
    found
}

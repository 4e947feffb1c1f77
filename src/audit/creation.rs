//! What it takes to create an index in a file, reckoned: the table is read, the entries are sorted in temporary files, and
//! the index is written. Nothing is created.

use super::{Audited, trend::stored};
use crate::{
    price::{self, Keys, Load},
    schema::{IndexObject, Live, Table, same},
};

/// Bytes that are read or written in a second, of a disk and of a good SSD: of the two, the time is said.
pub const BYTES_PER_SECOND: (f64, f64) = (100e6, 1e9);
/// Seconds that SQLite takes for an entry, sorting included, where all is in memory.
const PER_ENTRY: f64 = 1.5e-6;
/// Bytes of an entry beside its values and their types: its length, that of the types, and the pointer to it.
const AROUND: f64 = 4.0;
/// A text or a blob of more bytes has a type of two.
const LONG: f64 = 57.0;
/// As full are pages that are filled in order.
const FILL: f64 = 0.95;

/// What the creation of an index takes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Creation {
    /// Bytes of the table, which are read.
    pub read: f64,
    /// Bytes of the index: at most, where it is partial.
    pub index: f64,
    /// Bytes in temporary files while it is sorted.
    pub temporary: f64,
    /// Bytes in the WAL, or in a journal, until all is in the file.
    pub journal: f64,
    /// Seconds, at least and at most: on a good SSD, and on a disk.
    pub seconds: (f64, f64),
}

impl Creation {
    /// Of an index with its CREATE INDEX, by the schema of a file in memory.
    pub(super) fn of(
        audited: &Audited,
        file: &mut Live,
        (index, sql): (&IndexObject, &str),
        keys: &Keys,
    ) -> Option<Self> {
        let size = audited.table(&index.table)?.size?;
        let mut with = file.copy().ok()?;
        with.apply(sql).iter().all(|one| one.outcome.is_ok()).then_some(())?;
        let mut objects = with.objects().ok()?;
        // At most, all rows are in it.
        objects.indexes.iter_mut().for_each(|one| one.filter = None);
        let load = Load { rows: size.rows.value as u64, ..Load::default() };
        let priced = price::priced(keys, &objects, objects.table("main", &index.table)?, load);
        let tree = priced
            .trees
            .iter()
            .find(|tree| tree.index.as_ref().is_some_and(|name| same(name, &index.name)))?;
        let table = objects.table("main", &index.table)?;
        let entries = size.rows.value * sampled(audited, table, index).unwrap_or(tree.bytes);
        let (read, written) = (audited.bytes_of(&size), entries / FILL);
        let journal = if audited.header.is_wal { written } else { 0.0 };
        // What is sorted is written and read once more, and what stands in a WAL is written twice.
        let moved = read + 2.0 * entries + written + journal;
        let own = size.rows.value * PER_ENTRY;
        let (slow, fast) = BYTES_PER_SECOND;
        let seconds = (own + moved / fast, own + moved / slow);
        Some(Self { read, index: written, temporary: entries, journal, seconds })
    }
}

/// Bytes of an entry by what rows of the table have in its columns; `None` where that was not looked at.
fn sampled(audited: &Audited, table: &Table, index: &IndexObject) -> Option<f64> {
    let rows = audited.sample(&table.name);
    // Of a table without rowids, the key stands first in a row, and at the end of an entry.
    let last = rows.last().and_then(|row| row.rowid).filter(|_| !table.without_rowid)?;
    let rowid = whole(last);
    let mut bytes = AROUND + rowid + 1.0;
    for column in index.columns.iter().filter(|column| column.key) {
        let name = column.name.as_ref()?;
        let width = match stored(table).find(|(_, own)| same(own, name))?.0 {
            None => rowid,
            Some(at) => {
                let widths = rows.iter().map(|row| row.widths.get(at).copied().unwrap_or(0.0));
                widths.sum::<f64>() / rows.len() as f64
            }
        };
        bytes += width + if width > LONG { 2.0 } else { 1.0 };
    }
    Some(bytes)
}

/// Bytes in which SQLite stores a whole number.
fn whole(number: i64) -> f64 {
    match 65 - number.unsigned_abs().leading_zeros() {
        0..=8 => 1.0,
        9..=16 => 2.0,
        17..=24 => 3.0,
        25..=32 => 4.0,
        33..=48 => 6.0,
        _ => 8.0,
    }
}

//! What the indexes of a file cost, and what could be given back: free pages, and pages that are not full.
//!
//! The pages that a row writes are those of the model of [`crate::price`], with the rows and the bytes of the file. What
//! is given back is said as if VACUUM filled each page.

use super::{Audited, FileTable, TreeSize};
use crate::{
    price::{self, Keys, Load},
    schema::{Objects, same},
};

/// Bytes of an entry beside its payload: its length, its key and the pointer to it.
const AROUND: f64 = 6.0;

/// What a file's indexes cost, and what it could give back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Costs {
    /// Each index that has a size, the largest first.
    pub indexes: Vec<IndexCost>,
    /// Bytes of free pages, which the file keeps for new rows.
    pub free: f64,
    /// About so many bytes VACUUM would give back: free pages, and what is free in the others.
    pub vacuum: f64,
}

/// What an index costs.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexCost {
    /// Its table.
    pub table: String,
    /// Its name.
    pub name: String,
    /// Bytes of its pages: what dropping it would free.
    pub bytes: f64,
    /// Their share of the file, from 0 to 1.
    pub share: f64,
    /// The pages that a new row writes in it, at least and at most; `None` of a partial one, and where it can't be told.
    pub pages_per_row: Option<(f64, f64)>,
}

/// What the indexes of a file cost, by what is known of the order of keys.
pub fn costs(audited: &Audited, objects: &Objects, keys: &Keys) -> Costs {
    let file = audited.bytes.max(1) as f64;
    let mut indexes = Vec::new();
    for table in &audited.tables {
        let priced = priced(table, objects, keys);
        for index in &table.indexes {
            let Some(size) = &index.size else { continue };
            let bytes = audited.bytes_of(size);
            indexes.push(IndexCost {
                table: table.name.clone(),
                name: index.name.clone(),
                bytes,
                share: (bytes / file).min(1.0),
                pages_per_row: priced
                    .iter()
                    .find(|(name, _)| same(name, &index.name))
                    .map(|(_, pages)| *pages),
            });
        }
    }
    indexes.sort_by(|one, other| other.bytes.total_cmp(&one.bytes).then_with(|| one.name.cmp(&other.name)));
    let page = f64::from(audited.header.page_size);
    let free = f64::from(audited.header.freelist.min(audited.pages)) * page;
    let usable = f64::from(audited.header.usable());
    let sizes = audited.tables.iter().flat_map(|table| {
        table.size.iter().chain(table.indexes.iter().filter_map(|index| index.size.as_ref()))
    });
    let loose: f64 = sizes.map(|size| loose(size, usable) * page).sum();
    Costs { indexes, free, vacuum: (free + loose).min(file) }
}

/// The pages of a B-tree that VACUUM would do without: it leaves free at the end of a page what no further row fits into,
/// which is half of one on average.
fn loose(size: &TreeSize, usable: f64) -> f64 {
    let own = size.pages.value - size.overflow;
    if own < 3.0 || size.rows.value < 1.0 {
        return 0.0;
    }
    let row = size.fill * usable * own / size.rows.value;
    let most = 1.0 - (row / usable / 2.0).min(0.5);
    (own * (1.0 - size.fill / most)).max(0.0)
}

/// The indexes of a table by name, each with the pages that a new row writes in it.
fn priced(table: &FileTable, objects: &Objects, keys: &Keys) -> Vec<(String, (f64, f64))> {
    let (Some(declared), Some(rows)) = (objects.table("main", &table.name), table.rows()) else {
        return Vec::new();
    };
    let load = Load { rows: rows as u64, ..Load::default() };
    let priced = price::priced(keys, objects, declared, load);
    let trees = priced.trees.into_iter().filter_map(|mut tree| {
        let name = tree.index.clone()?;
        let own = table.indexes.iter().find(|index| same(&index.name, &name))?;
        // What is there is better known than what a declaration says.
        tree.bytes = own.size.filter(|size| size.rows.value > 0.0)?.row_bytes + AROUND;
        Some((name, tree.pages(load)))
    });
    trees.collect()
}

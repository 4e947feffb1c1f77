//! The tables of a file with their indexes, put together of its catalogue, of what was estimated, and of its statistics. Reads
//! nothing: nobody waits for it.

use super::{Estimate, FileIndex, FileTable, TreeSize};
use crate::schema::{
    Objects,
    file::{Entry, Statistics},
    same,
};
use std::collections::HashMap;

/// Estimates that are further from each other than so many times their errors are not of one number.
const AGREE: f64 = 2.0;

/// The tables, in the order of their names. `sizes` are those of the catalogue's entries, in their order.
pub(super) fn tables(
    catalogue: &[Entry],
    sizes: Vec<Option<TreeSize>>,
    statistics: &Statistics,
) -> Vec<FileTable> {
    let mut analyzed: HashMap<String, u64> = HashMap::new();
    let mut stats: HashMap<(String, String), String> = HashMap::new();
    for stat in statistics.rows() {
        let table = stat.table.to_lowercase();
        if let Some(rows) = stat.text.split(' ').next().and_then(|rows| rows.parse::<u64>().ok()) {
            // That of a partial index counts less.
            analyzed.entry(table.clone()).and_modify(|most| *most = rows.max(*most)).or_insert(rows);
        }
        if let Some(index) = stat.index {
            stats.entry((table, index.to_lowercase())).or_insert(stat.text);
        }
    }
    let mut tables: Vec<FileTable> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (entry, size) in catalogue.iter().zip(sizes) {
        let table = entry.table.to_lowercase();
        if entry.kind == "table" {
            places.insert(table.clone(), tables.len());
            tables.push(FileTable {
                name: entry.name.clone(),
                size,
                is_virtual: entry.root == 0,
                analyzed: analyzed.get(&table).copied(),
                trend: None,
                indexes: Vec::new(),
            });
        // The catalogue lists a table before its indexes.
        } else if let Some(own) = places.get(&table).and_then(|at| tables.get_mut(*at))
            && entry.kind == "index"
        {
            own.indexes.push(FileIndex {
                name: entry.name.clone(),
                size,
                stat: stats.remove(&(table, entry.name.to_lowercase())),
                sql: entry.sql.clone(),
            });
        }
    }
    tables.sort_by(|one, other| one.name.cmp(&other.name));
    for table in &mut tables {
        table.indexes.sort_by(|one, other| one.name.cmp(&other.name));
    }
    tables
}

/// An index that is not partial has an entry for each row of its table: what is estimated of both, and of each such index, is
/// one number, better known than each alone says.
pub(super) fn agree(tables: &mut [FileTable], objects: &Objects) {
    for table in tables {
        let is_full = |index: &FileIndex| {
            let mut declared = objects.indexes_of("main", &table.name);
            declared.any(|one| same(&one.name, &index.name) && one.filter.is_none())
        };
        let full: Vec<bool> = table.indexes.iter().map(is_full).collect();
        let indexes = table.indexes.iter_mut().zip(full).filter(|(_, is_full)| *is_full);
        let own = table.size.iter_mut().chain(indexes.filter_map(|(index, _)| index.size.as_mut()));
        let mut sizes: Vec<&mut TreeSize> = own.collect();
        let estimates: Vec<Estimate> = sizes.iter().map(|size| size.rows).collect();
        // Of a damaged tree nothing is taken over.
        let is_sound = sizes.iter().all(|size| size.damaged == 0);
        let Some(rows) = together(&estimates).filter(|_| is_sound) else { continue };
        for size in &mut sizes {
            size.rows = rows;
        }
    }
}

/// What estimates of one number say together; `None` where they contradict each other.
fn together(all: &[Estimate]) -> Option<Estimate> {
    let best = all.iter().copied().min_by(|one, other| one.error.total_cmp(&other.error))?;
    let agrees = |one: &Estimate| (one.value - best.value).abs() <= AGREE * (one.error + best.error);
    if all.len() < 2 || !all.iter().all(agrees) {
        return None;
    }
    if best.error == 0.0 {
        return Some(best);
    }
    let weight = |one: &Estimate| one.error.powi(-2);
    let sum: f64 = all.iter().map(weight).sum();
    let value = all.iter().map(|one| one.value * weight(one)).sum::<f64>() / sum;
    Some(Estimate { value, error: sum.powf(-0.5) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(all: &[(f64, f64)]) -> Option<(f64, f64)> {
        let all: Vec<Estimate> =
            all.iter().map(|(value, error)| Estimate { value: *value, error: *error }).collect();
        together(&all).map(|one| (one.value.round(), one.error.round()))
    }

    #[test]
    fn estimates_of_one_number_are_better_together() {
        assert_eq!(told(&[(1000.0, 30.0), (1030.0, 30.0)]), Some((1015.0, 21.0)));
        assert_eq!(told(&[(1000.0, 10.0), (1030.0, 30.0)]), Some((1003.0, 9.0)));
        assert_eq!(told(&[(1000.0, 0.0), (1030.0, 30.0)]), Some((1000.0, 0.0)));
        assert_eq!(told(&[(1000.0, 10.0), (1300.0, 30.0)]), None);
        assert_eq!(told(&[(1000.0, 0.0), (1001.0, 0.0)]), None);
        assert_eq!(told(&[(1000.0, 10.0)]), None);
    }
}

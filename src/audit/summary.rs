//! What is kept of an audited file to judge its program by, without the file: sizes, and the numbers that ANALYZE left.
//! Nothing of it is a value of a row: names, counts and bytes.

use super::{Audited, FileIndex, FileTable, TreeSize};
use crate::{
    config::{FileStatistics, IndexStatistics, TableStatistics, numbers},
    schema::{file::Stat, same},
};

impl Audited {
    /// What it is like, as of a day; tables of SQLite's own and virtual ones have no size that matters.
    pub fn summary(&self, date: &str) -> FileStatistics {
        let is_own = |table: &&FileTable| !table.name.to_ascii_lowercase().starts_with("sqlite_");
        let tables = self.tables.iter().filter(is_own);
        let stats = self.statistics.rows();
        FileStatistics {
            path: String::new(),
            text: String::new(),
            date: date.to_owned(),
            sqlite: self.header.written_by.clone().unwrap_or_default(),
            page_size: u64::from(self.header.page_size),
            pages: u64::from(self.pages),
            is_declared: false,
            tables: tables.filter_map(|table| self.table_summary(table, &stats)).collect(),
        }
    }

    fn table_summary(&self, table: &FileTable, stats: &[Stat]) -> Option<TableStatistics> {
        let size = table.size?;
        let own = stats.iter().find(|stat| {
            // That of a primary key without rowids has the name of its table.
            same(&stat.table, &table.name) && stat.index.as_ref().is_none_or(|index| same(index, &table.name))
        });
        Some(TableStatistics {
            name: table.name.clone(),
            rows: whole(size.rows.value),
            error: whole(size.rows.error),
            bytes: whole(self.bytes_of(&size)),
            row_bytes: whole(size.row_bytes),
            stat1: own.and_then(|stat| numbers(&stat.text)),
            indexes: table
                .indexes
                .iter()
                .filter_map(|index| Some(self.index_summary(table, index, index.size?)))
                .collect(),
            ..TableStatistics::default()
        })
    }

    fn index_summary(&self, table: &FileTable, index: &FileIndex, size: TreeSize) -> IndexStatistics {
        let stat1 = index.stat.as_deref().and_then(numbers);
        let (samples, most) = self.statistics.samples(&table.name, &index.name);
        IndexStatistics {
            name: index.name.clone(),
            entries: whole(size.rows.value),
            bytes: whole(self.bytes_of(&size)),
            distinct: stat1.as_deref().map(distinct).unwrap_or_default(),
            stat1,
            samples,
            most,
        }
    }
}

fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// About how many different values the first columns have: as many as rows, by how many of them share one.
fn distinct(stat1: &str) -> Vec<u64> {
    let mut numbers = stat1.split(' ').map_while(|number| number.parse::<u64>().ok());
    let rows = numbers.next().unwrap_or(0);
    numbers.map(|each| rows.div_ceil(each.max(1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_values_are_told_by_how_many_rows_share_one() {
        assert_eq!(distinct("4000 10 1"), [400, 4000]);
        assert_eq!(distinct("7 4 0 sz=3"), [2, 7]);
        assert_eq!(distinct("7"), Vec::<u64>::new());
    }
}

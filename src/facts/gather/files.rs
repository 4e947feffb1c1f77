//! What databases in the field were found to be like, as facts.

use super::Gatherer;
use crate::config::{FileStatistics, TableStatistics};

impl Gatherer<'_> {
    pub(super) fn gather_files(&mut self) {
        for (index, database) in self.program.databases.iter().enumerate() {
            let Some(statistics) = &database.statistics else { continue };
            let Some(&row) = self.rows.databases.get(index) else { continue };
            let variant = self.facts.insert("variant", [("database", &row), ("kind", &"file")]);
            for table in &statistics.tables {
                self.gather_file_table(variant, statistics, table);
            }
        }
    }

    fn gather_file_table(&mut self, variant: i64, statistics: &FileStatistics, table: &TableStatistics) {
        let site = self.optional_site(table.site);
        let pages = |bytes: u64| bytes.checked_div(statistics.page_size).map(signed);
        self.facts.insert(
            "file_table",
            [
                ("variant", &variant),
                ("name", &table.name),
                ("rows", &signed(table.rows)),
                ("estimated", &(table.error > 0)),
                ("error", &signed(table.error)),
                ("pages", &pages(table.bytes)),
                ("stat", &table.stat1),
                ("analyzed", &table.analyzed().map(signed)),
                ("stale", &table.is_stale()),
                ("site", &site),
            ],
        );
        for index in &table.indexes {
            self.facts.insert(
                "file_index",
                [
                    ("variant", &variant),
                    ("table", &table.name),
                    ("name", &index.name),
                    ("rows", &signed(index.entries)),
                    ("pages", &pages(index.bytes)),
                    ("stat", &index.stat1),
                ],
            );
        }
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

//! What databases in the field were found to be like, as facts.

use super::Gatherer;
use crate::{
    config::{FileStatistics, TableStatistics},
    source::Site,
};

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

    /// The tables that the configuration names, for somebody to hold against those that are there.
    pub(super) fn gather_configured_tables(&mut self) {
        let (config, sources) = (self.program.config, self.program.sources);
        let source = config.path.as_ref().and_then(|path| sources.find(path)).map(|(id, _)| id);
        for (index, database) in self.program.databases.iter().enumerate() {
            let settings = database.declaration.config.and_then(|index| config.databases.get(index));
            let (Some(settings), Some(source)) = (settings, source) else { continue };
            let Some(&row) = self.rows.databases.get(index) else { continue };
            for (key, name, span) in &settings.named {
                let site = Site { source, start: span.start as u32, end: span.end as u32 };
                let site = self.site(site);
                self.facts.insert(
                    "configured_table",
                    [("database", &row), ("key", key), ("name", name), ("site", &site)],
                );
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

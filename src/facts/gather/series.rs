//! The folders of numbered migrations, as facts.

use super::Gatherer;
use crate::migration::Member;
use std::collections::BTreeMap;

impl Gatherer<'_> {
    /// The series of a database; its steps that belong to one, with its row.
    pub(super) fn gather_series(&mut self, database: usize, row: i64) -> BTreeMap<usize, (i64, Member)> {
        let mut members = BTreeMap::new();
        for one in self.program.series.iter().filter(|one| one.database == database) {
            let sorted = self.optional_site(one.sorted);
            let list = self.optional_site(one.list);
            let series = self.facts.insert(
                "series",
                [("database", &row), ("folder", &one.folder), ("list", &list), ("sorted", &sorted)],
            );
            for &number in &one.numbers {
                self.facts.insert("series_number", [("series", &series), ("number", &(number as i64))]);
            }
            members.extend(one.members.iter().map(|&member| (member.step, (series, member))));
        }
        members
    }

    /// Where others of the kind of a step are named, if nothing runs it.
    pub(super) fn beside(&mut self, database: usize, step: usize) -> Option<i64> {
        let unnamed = self.program.unnamed.iter().find(|one| one.database == database && one.step == step);
        let series = || {
            let mut series = self.program.series.iter().filter(|one| one.database == database);
            series.find(|one| one.unlisted.contains(&step))?.list
        };
        let site = unnamed.map(|one| one.beside).or_else(series);
        self.optional_site(site)
    }
}

//! What ANALYZE would write of a database whose rows are like those that growth is measured on. It is run on rows of two
//! sizes, and what grows between them is carried on to a table that is large: SQLite is to choose as it would there. Knows
//! no statement's plan, and nothing of the rows that a program really has.

use super::{
    Again, Data,
    fill::Filler,
    measure::{LARGE, SIZE},
    prospects::tables,
};
use crate::schema::{Explained, Live, file::Stat};
use std::collections::BTreeSet;

/// Rows of a table that grows, as the statistics say.
const ROWS: u64 = 100_000;

impl Again<'_> {
    /// Gives a database, which has no rows of its own to be kept, the statistics of the tables that these statements
    /// touch. `None` where SQLite has none, as of tables that can't be filled.
    pub fn analyze(&self, live: &mut Live, data: Data, explained: &[&Explained]) -> Option<()> {
        let wanted: BTreeSet<usize> = explained.iter().flat_map(|one| tables(&self.catalog, one)).collect();
        let [small, large] = {
            let bench = live.bench().ok()?;
            let mut filler = Filler::new(&bench, &self.model, wanted.into_iter());
            filler.learn().ok()?;
            filler.fill(data, SIZE).ok()?;
            let small = bench.statistics().ok()?;
            filler.fill(data, LARGE).ok()?;
            let large = bench.statistics().ok()?;
            bench.clear().ok()?;
            [small, large]
        };
        let row = |(table, index, numbers): &(String, Option<String>, String)| {
            let before = small.iter().find(|(own, other, _)| own == table && other == index);
            let text = before.map_or_else(|| numbers.clone(), |(.., before)| carried_on(before, numbers));
            Stat { table: table.clone(), index: index.clone(), text }.values()
        };
        let rows: Vec<String> = large.iter().map(row).collect();
        if rows.is_empty() {
            return None;
        }
        let insert = format!("INSERT INTO main.sqlite_stat1 VALUES {}", rows.join(", "));
        let applied = live.apply(&format!("ANALYZE main; DELETE FROM main.sqlite_stat1; {insert}"));
        applied.iter().all(|one| one.outcome.is_ok()).then_some(())
    }
}

/// The numbers of an index on a large table, from those on two small ones: how many rows there are, and how many share
/// the first columns. What grew with the rows goes on growing.
fn carried_on(small: &str, large: &str) -> String {
    let words = small.split(' ').zip(large.split(' ')).map(|(small, large)| {
        match (small.parse::<u64>(), large.parse::<u64>()) {
            (Ok(few), Ok(many)) if many > 2 * few => (many * (ROWS / LARGE)).to_string(),
            _ => large.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_with_the_rows_goes_on_growing() {
        assert_eq!(carried_on("100 50 4 1", "400 200 4 1"), "100000 50000 4 1");
        assert_eq!(carried_on("8 3 unordered", "8 3 unordered"), "8 3 unordered");
    }
}

//! What migrations lost, and who misses it, as facts.

use super::Gatherer;
use crate::{obstacle::Missed, workload::Database};

impl Gatherer<'_> {
    /// The losses of a database, by the experiments of its statements.
    pub(super) fn gather_losses(&mut self, database: &Database, experiments: &[Option<i64>]) {
        let mut rows = Vec::new();
        for loss in &database.losses {
            let made = database.variant.outcomes.get(loss.made);
            let site =
                made.and_then(|made| made.text.site(made.applied.start as u32, made.applied.end as u32));
            let site = self.optional_site(site);
            let declared = made.and_then(|made| made.applied.outcome.as_ref().ok()?.index.as_ref());
            let terms = declared.map(|index| {
                let filter =
                    index.filter.as_ref().map_or_else(String::new, |filter| format!(" WHERE {filter}"));
                format!("({}){filter}", index.columns.join(", "))
            });
            let experiment = experiments.get(loss.drop).copied().flatten();
            rows.push(experiment.map(|experiment| {
                self.facts.insert(
                    "loss",
                    [
                        ("experiment", &experiment),
                        ("kind", &loss.kind.as_str()),
                        ("table", &loss.table),
                        ("object", &loss.name),
                        ("text", &terms),
                        ("site", &site),
                    ],
                )
            }));
        }
        self.losses.push(rows);
    }

    pub(super) fn gather_missed(&mut self) {
        for &Missed { database, loss, statement } in self.program.missed {
            let loss = self.losses.get(database).and_then(|losses| losses.get(loss).copied().flatten());
            if let (Some(loss), Some(statement)) = (loss, self.rows.statements.get(statement)) {
                self.facts.insert("missed", [("loss", &loss), ("statement", statement)]);
            }
        }
    }
}

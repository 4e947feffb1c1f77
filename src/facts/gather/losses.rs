//! What migrations lost, and who misses it, as facts.

use super::{Gatherer, statements::refusal_kind};
use crate::{experiment::On, obstacle::Missed, schema::RefusalKind, workload::Database};

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
                let unique = if index.unique { "UNIQUE " } else { "" };
                format!("{unique}({}){filter}", index.columns.join(", "))
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

    /// What the experiments on rows showed.
    pub(super) fn gather_experiments(&mut self) {
        for one in &self.program.experiments.all {
            let Some(&variant) = self.variants.get(one.database) else { continue };
            let Some(&step) = self.known.applied.get(&(variant, one.outcome)) else { continue };
            let (kind, rows) = words(one.on);
            let refusal = one.refusal.as_ref();
            let limit = refusal.is_some_and(|refusal| matches!(refusal.kind, RefusalKind::Limit(_)));
            let outcome = match refusal {
                None => "done",
                Some(_) if limit => "stopped",
                Some(_) => "failed",
            };
            let experiment = self.facts.insert(
                "experiment",
                [
                    ("variant", &variant),
                    ("step", &step),
                    ("ordinal", &(one.outcome as i64)),
                    ("kind", &kind),
                    ("rows", &rows),
                    ("outcome", &outcome),
                    (
                        "failure",
                        &refusal.map(|refusal| if limit { "limit" } else { refusal_kind(&refusal.kind).0 }),
                    ),
                    ("message", &refusal.map(|refusal| refusal.message.as_str())),
                ],
            );
            for loss in &one.losses {
                self.facts.insert(
                    "loss",
                    [
                        ("experiment", &experiment),
                        ("kind", &loss.kind.as_str()),
                        ("table", &loss.table),
                        ("object", &loss.object),
                        ("text", &loss.text),
                    ],
                );
            }
        }
        for one in &self.program.experiments.backfills {
            let variant = self.variants.get(one.database).copied().unwrap_or_default();
            let Some(&step) = self.known.applied.get(&(variant, one.outcome)) else { continue };
            self.facts.insert(
                "backfill",
                [
                    ("step", &step),
                    ("few_rows", &one.few.0),
                    ("few_steps", &one.few.1),
                    ("many_rows", &one.many.0),
                    ("many_steps", &one.many.1),
                    ("plan", &one.plan.join("\n")),
                ],
            );
        }
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

/// The words for what an experiment ran on.
const fn words(on: On) -> (&'static str, Option<&'static str>) {
    match on {
        On::Empty => ("empty", None),
        On::Seeded(rows) => ("seeded", Some(rows.as_str())),
        On::Stopped => ("stopped", None),
        On::Unrecorded => ("unrecorded", None),
        On::Reopened => ("reopened", None),
        On::Undone => ("undone", None),
    }
}

//! What was measured, as facts.

use super::Gatherer;
use crate::growth::{Growth, Trial};
use crate::workload::Statement;

impl Gatherer<'_> {
    pub(super) fn gather_growths(&mut self) {
        for growth in &self.program.measured.growths {
            self.gather_growth(growth);
        }
        for one in &self.program.measured.values {
            let Some(&database) = self.rows.databases.get(one.database) else { continue };
            let order = if one.is_random { "random" } else { "ordered" };
            self.facts.insert(
                "column_values",
                [
                    ("database", &database),
                    ("table", &one.table),
                    ("column", &one.column),
                    ("distinct", &one.distinct),
                    ("key_order", &order),
                    ("reason", &one.reason),
                ],
            );
        }
    }

    fn gather_growth(&mut self, growth: &Growth) {
        let statement = self.program.statements.get(growth.statement);
        let Some(&row) = self.rows.statements.get(growth.statement) else { return };
        let database = statement.and_then(Statement::database);
        let Some(&variant) = database.and_then(|database| self.variants.get(database)) else { return };
        if let Some(reason) = &growth.unmeasured {
            self.facts.insert("unmeasured", [("statement", &row), ("reason", reason)]);
        }
        for trial in &growth.trials {
            self.gather_trial(row, variant, trial);
        }
    }

    pub(super) fn gather_trial(&mut self, statement: i64, variant: i64, trial: &Trial) {
        let growth = self.facts.insert(
            "growth",
            [
                ("statement", &statement),
                ("variant", &variant),
                ("data", &trial.data.as_str()),
                ("binding", &trial.binding.as_str()),
                ("class", &trial.class.as_str()),
                ("explained", &trial.explained),
                ("wasted", &((trial.waste * 100.0).round() as i64)),
                ("words", &trial.words()),
            ],
        );
        for measure in &trial.measures {
            let run = &measure.run;
            self.facts.insert(
                "measure",
                [
                    ("growth", &growth),
                    ("rows", &(measure.rows as i64)),
                    ("steps", &(run.steps as i64)),
                    ("pages", &(run.pages as i64)),
                    ("returned", &(run.returned as i64)),
                    ("changed", &(run.changed as i64)),
                    ("dirtied", &run.dirtied.map(|pages| pages as i64)),
                ],
            );
        }
        for through in &trial.through {
            self.facts.insert(
                "growth_through",
                [
                    ("growth", &growth),
                    ("table", &through.table),
                    ("column", &through.column),
                    ("literal", &through.literal),
                ],
            );
        }
    }
}

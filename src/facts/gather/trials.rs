//! What indexes do to statements, as facts.

use super::{Gatherer, Program};
use crate::{
    trial::{Action, Effect, Trial},
    workload,
};
use std::collections::BTreeSet;

impl Gatherer<'_> {
    pub(super) fn gather_trials(&mut self) {
        let Program { trials, sources, .. } = self.program;
        let changed =
            trials.iter().filter(|trial| trial.action != Action::AddIndex && !trial.index.is_empty());
        let hinted = workload::hinted(sources, &changed.map(|trial| trial.index.as_str()).collect());
        for (at, trial) in trials.iter().enumerate() {
            self.gather_index_trial((at, trial), &hinted);
        }
    }

    fn gather_index_trial(&mut self, (at, trial): (usize, &Trial), hinted: &BTreeSet<&str>) {
        let Some(&variant) = self.variants.get(trial.database) else { return };
        let table = (!trial.table.is_empty()).then_some(&trial.table);
        let index = (trial.action != Action::AddIndex)
            .then(|| self.known.indexes.get(&(variant, trial.index.to_lowercase())))
            .flatten();
        let step = trial.step.and_then(|step| self.known.applied.get(&(variant, step)));
        let row = self.facts.insert(
            "trial",
            [
                ("variant", &variant),
                ("action", &trial.action.as_str()),
                ("table", &table),
                ("index", &index),
                ("step", &step),
                ("holder", &trial.holder),
                ("sql", &trial.sql),
                ("is_hinted", &hinted.contains(trial.index.as_str())),
            ],
        );
        for index in
            trial.also.iter().filter_map(|name| self.known.indexes.get(&(variant, name.to_lowercase())))
        {
            self.facts.insert("trial_also", [("trial", &row), ("index", index)]);
        }
        for (number, effect) in trial.effects.iter().enumerate() {
            if let Some(effect) = self.gather_effect(row, effect) {
                self.rows.effects.insert(effect, (at, number));
            }
        }
    }

    fn gather_effect(&mut self, trial: i64, effect: &Effect) -> Option<i64> {
        let statement = *self.rows.statements.get(effect.statement)?;
        let row = self.facts.insert(
            "trial_effect",
            [
                ("trial", &trial),
                ("statement", &statement),
                ("verdict", &effect.verdict.as_str()),
                ("class_before", &effect.before.as_str()),
                ("class_after", &effect.after.as_str()),
                ("plan_after", &effect.plan.join("\n")),
                ("steps_gone", &effect.gone.join("\n")),
                ("steps_come", &effect.come.join("\n")),
            ],
        );
        if let Some(cure) = &effect.cure {
            self.facts.insert(
                "cure",
                [
                    ("statement", &statement),
                    ("kind", &"index"),
                    ("sql", &cure.sql),
                    ("step", &cure.step),
                    ("proved", &true),
                    ("trial", &trial),
                ],
            );
        }
        Some(row)
    }
}

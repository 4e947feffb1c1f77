//! What another SQLite plans, as facts.

use super::Gatherer;
use crate::shell::Elsewhere;

impl Gatherer<'_> {
    pub(super) fn gather_elsewhere(&mut self) {
        let Some(asked) = self.program.elsewhere else { return };
        let engine = self.facts.insert("engine", [("version", &asked.version), ("program", &asked.program)]);
        for (database, answer) in asked.answers.iter().enumerate() {
            let is_other = |one: &&Elsewhere| one.plan.is_err() || !one.differences.is_empty();
            for one in answer.said.iter().filter(is_other) {
                self.gather_otherwise(engine, database, one);
            }
        }
    }

    fn gather_otherwise(&mut self, engine: i64, database: usize, one: &Elsewhere) {
        let Some(&variant) = self.variants.get(database) else { return };
        let Some(&row) = self.rows.statements.get(one.statement) else { return };
        match &one.plan {
            Ok(steps) => {
                let plan = self
                    .facts
                    .insert("plan", [("statement", &row), ("variant", &variant), ("engine", &engine)]);
                self.gather_steps(plan, steps, None);
                for one in &one.differences {
                    let (gone, come) = (one.gone.join("\n"), one.come.join("\n"));
                    self.facts.insert(
                        "plan_difference",
                        [
                            ("plan", &plan),
                            ("table", &one.table),
                            ("steps_gone", &gone),
                            ("steps_come", &come),
                            ("scans", &one.scans),
                            ("builds", &one.builds),
                        ],
                    );
                }
            }
            Err(message) => {
                self.facts
                    .insert("plan_refusal", [("statement", &row), ("engine", &engine), ("message", message)]);
            }
        }
    }
}

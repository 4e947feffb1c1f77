//! What keeps indexes from being used, as facts.

use super::Gatherer;
use crate::{obstacle::Obstructed, workload::Statement};
use rustc_hash::FxHashMap;

/// Rows by what they are of.
#[derive(Default)]
pub(super) struct Known {
    /// Steps, by statement and place.
    pub steps: FxHashMap<(i64, usize), i64>,
    /// Indexes, by variant and name in lower case.
    pub indexes: FxHashMap<(i64, String), i64>,
    /// Steps of the schema, by variant and place among all of them.
    pub applied: FxHashMap<(i64, usize), i64>,
    /// The first predicates, by statement and site.
    pub predicates: FxHashMap<(i64, i64), i64>,
}

impl Gatherer<'_> {
    pub(super) fn gather_obstacles(&mut self) {
        for (at, one) in self.program.obstacles.iter().enumerate() {
            let Some(statement) = self.program.statements.get(one.statement) else { continue };
            let Some(&row) = self.rows.statements.get(one.statement) else { continue };
            self.gather_asked(row, statement, one);
            self.gather_obstructed(row, statement, (at, one));
        }
    }

    pub(super) fn gather_instead(&mut self) {
        for one in self.program.instead {
            let Some(&row) = self.rows.statements.get(one.statement) else { continue };
            self.facts.insert(
                "instead",
                [
                    ("statement", &row),
                    ("kind", &one.kind),
                    ("table", &one.table),
                    ("key", &one.key.join(", ")),
                    ("width", &(one.key.len() as i64)),
                    ("text", &one.text),
                    ("plan", &one.plan.join("\n")),
                    ("step", &one.step),
                ],
            );
        }
    }

    fn gather_asked(&mut self, row: i64, statement: &Statement, one: &Obstructed) {
        let database = statement.database().and_then(|index| self.program.databases.get(index));
        let Some(objects) = database.map(|database| &database.variant.objects) else { return };
        let mut seen = Vec::new();
        for asked in one.asked.iter().flatten() {
            let Some(table) = objects.tables.get(asked.table) else { continue };
            for term in &asked.terms {
                if seen.contains(&(asked.table, term)) {
                    continue;
                }
                seen.push((asked.table, term));
                let column = term.column.and_then(|column| table.columns.get(column));
                let column = column.map_or("rowid", |column| column.name.as_str());
                self.facts.insert(
                    "planner_term",
                    [
                        ("statement", &row),
                        ("schema", &table.schema),
                        ("table", &table.name),
                        ("column", &column),
                        ("operator", &term.operator),
                        ("collation", &term.collation),
                        ("literal", &term.literal),
                    ],
                );
            }
        }
    }

    fn gather_obstructed(&mut self, row: i64, statement: &Statement, (at, one): (usize, &Obstructed)) {
        let variant = statement.database().and_then(|index| self.variants.get(index)).copied();
        let plan = statement.explained().map_or_else(Vec::new, |explained| explained.plan.lines()).join("\n");
        for (number, obstacle) in one.obstacles.iter().enumerate() {
            let site = statement.text.site(obstacle.start as u32, obstacle.end as u32);
            let site = self.optional_site(site);
            let index = obstacle.index.as_ref().zip(variant);
            let index =
                index.and_then(|(name, variant)| self.known.indexes.get(&(variant, name.to_lowercase())));
            let text = statement.text.as_str().get(obstacle.start..obstacle.end).unwrap_or("");
            let id = self.facts.insert(
                "obstacle",
                [
                    ("statement", &row),
                    ("step", &self.known.steps.get(&(row, obstacle.step))),
                    ("kind", &obstacle.kind.as_str()),
                    ("predicate", &site.and_then(|site| self.known.predicates.get(&(row, site)))),
                    ("column", &obstacle.column),
                    ("index", &index),
                    ("site", &site),
                    ("text", &text),
                    ("help", &obstacle.help()),
                ],
            );
            self.rows.obstacles.insert(id, (at, number));
            let Some(fix) = &obstacle.fix else { continue };
            self.facts.insert(
                "relief",
                [
                    ("obstacle", &id),
                    ("kind", &fix.kind.as_str()),
                    ("text", &fix.text),
                    ("part", &fix.part),
                    ("condition", &fix.condition),
                    ("proved", &fix.is_proved()),
                    ("plan_before", &plan),
                    ("plan_after", &fix.plan.join("\n")),
                ],
            );
        }
    }
}

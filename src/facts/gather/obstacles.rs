//! What keeps indexes from being used, as facts.

use super::{FactsError, Gatherer};
use crate::{obstacle::Obstructed, workload::Statement};
use rustc_hash::FxHashMap;

/// Rows by what they are of: steps by statement and place, indexes by variant and name in lower case, predicates by
/// statement and site.
#[derive(Default)]
struct Known {
    steps: FxHashMap<(i64, i64), i64>,
    indexes: FxHashMap<(i64, String), i64>,
    predicates: FxHashMap<(i64, i64), i64>,
}

impl Gatherer<'_> {
    pub(super) fn gather_obstacles(&mut self) -> Result<(), FactsError> {
        if self.program.obstacles.iter().all(|one| one.obstacles.is_empty() && one.asked.is_none()) {
            return Ok(());
        }
        // What is known is looked up, so nothing may wait.
        self.tables.flush()?;
        let known = self.known()?;
        for one in self.program.obstacles {
            let Some(statement) = self.program.statements.get(one.statement) else { continue };
            let Some(&row) = self.rows.statements.get(one.statement) else { continue };
            self.gather_asked(row, statement, one)?;
            self.gather_obstructed(row, statement, one, &known)?;
        }
        Ok(())
    }

    fn known(&self) -> Result<Known, FactsError> {
        let mut known = Known::default();
        let connection = self.facts.connection();
        let sql = "SELECT plan.statement, step.ordinal, step.id FROM step JOIN plan ON plan.id = step.plan
                   WHERE plan.statement IS NOT NULL";
        let mut read = connection.prepare(sql)?;
        let mut rows = read.query([])?;
        while let Some(row) = rows.next()? {
            known.steps.insert((row.get(0)?, row.get(1)?), row.get(2)?);
        }
        let mut read = connection.prepare("SELECT variant, lower(name), id FROM \"index\"")?;
        let mut rows = read.query([])?;
        while let Some(row) = rows.next()? {
            known.indexes.insert((row.get(0)?, row.get(1)?), row.get(2)?);
        }
        let mut read =
            connection.prepare("SELECT statement, site, id FROM predicate WHERE site IS NOT NULL")?;
        let mut rows = read.query([])?;
        while let Some(row) = rows.next()? {
            known.predicates.entry((row.get(0)?, row.get(1)?)).or_insert(row.get(2)?);
        }
        Ok(known)
    }

    fn gather_asked(&mut self, row: i64, statement: &Statement, one: &Obstructed) -> Result<(), FactsError> {
        let database = statement.database().and_then(|index| self.program.databases.get(index));
        let Some(objects) = database.map(|database| &database.variant.objects) else { return Ok(()) };
        let columns = ["statement", "schema", "table", "column", "operator", "collation", "literal"];
        let mut terms = self.facts.table("planner_term", columns)?;
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
                let (operator, collation) = (&term.operator, &term.collation);
                terms.insert([
                    &row,
                    &table.schema,
                    &table.name,
                    &column,
                    operator,
                    collation,
                    &term.literal,
                ])?;
            }
        }
        Ok(())
    }

    fn gather_obstructed(
        &mut self,
        row: i64,
        statement: &Statement,
        one: &Obstructed,
        known: &Known,
    ) -> Result<(), FactsError> {
        let variant = statement.database().and_then(|index| self.variants.get(index)).copied();
        let plan = statement.explained().map_or_else(Vec::new, |explained| explained.plan.lines()).join("\n");
        for obstacle in &one.obstacles {
            let site = statement.text.site(obstacle.start as u32, obstacle.end as u32);
            let site = self.optional_site(site)?;
            let index = obstacle.index.as_ref().zip(variant);
            let index = index.and_then(|(name, variant)| known.indexes.get(&(variant, name.to_lowercase())));
            let text = statement.text.as_str().get(obstacle.start..obstacle.end).unwrap_or("");
            let id = self.facts.insert(
                "obstacle",
                [
                    ("statement", &row),
                    ("step", &known.steps.get(&(row, obstacle.step as i64))),
                    ("kind", &obstacle.kind.as_str()),
                    ("predicate", &site.and_then(|site| known.predicates.get(&(row, site)))),
                    ("column", &obstacle.column),
                    ("index", &index),
                    ("site", &site),
                    ("text", &text),
                    ("help", &obstacle.help()),
                ],
            )?;
            let Some(fix) = &obstacle.fix else { continue };
            self.facts.insert(
                "relief",
                [
                    ("obstacle", &id),
                    ("kind", &fix.kind.as_str()),
                    ("text", &fix.text),
                    ("part", &fix.part),
                    ("condition", &fix.condition),
                    ("plan_before", &plan),
                    ("plan_after", &fix.plan.join("\n")),
                ],
            )?;
        }
        Ok(())
    }
}

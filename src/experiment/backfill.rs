//! What a migration's own writes cost: each is run at its step, on few rows and on four times as many.

use super::{scene::Scene, seeds};
use crate::schema::{
    Live, Refusal, SchemaError, Table, qualified, quoted,
    rehearsal::{Manner, Ran, Rehearsal},
};
use std::collections::BTreeSet;

/// Rows of each table.
const FEW: u64 = 60;
const MANY: u64 = 240;

/// Times the steps, for four times the rows, above which the cost grows as the square of them.
const SQUARE: u64 = 8;

/// A write of a migration whose cost grows faster than the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backfill {
    /// The database.
    pub database: usize,
    /// The statement, by its place among what became of the schema's statements.
    pub outcome: usize,
    /// Rows in each table, and the steps of SQLite's virtual machine for them.
    pub few: (u64, u64),
    /// The same with more.
    pub many: (u64, u64),
    /// Its plan at that step.
    pub plan: Vec<String>,
}

/// Measures the writes of a unit that read the rows of tables.
pub(super) fn measure(
    stage: &mut Live,
    scene: &Scene<'_>,
    rehearsal: &Rehearsal,
    database: usize,
    small: &BTreeSet<String>,
) -> Result<Vec<Backfill>, SchemaError> {
    let mut found = Vec::new();
    for ran in promising(rehearsal) {
        let steps = |rows: u64, stage: &mut Live| -> Result<Result<u64, Refusal>, SchemaError> {
            stage.restore(&scene.before)?;
            fill(stage, scene, rows, small)?;
            stage.rehearse(&scene.parts, &Manner { until: Some(ran.at()), keeps: true, ..scene.manner() });
            Ok(stage.steps_of(ran.sql(&scene.parts)))
        };
        let Ok(few) = steps(FEW, stage)? else { continue };
        let Ok(many) = steps(MANY, stage)? else { continue };
        if many > few.saturating_mul(SQUARE)
            && let Some(outcome) = scene.outcome(ran.at())
        {
            let (few, many, plan) = ((FEW, few), (MANY, many), ran.plan.clone());
            found.push(Backfill { database, outcome, few, many, plan });
        }
    }
    Ok(found)
}

/// The statements that are worth it.
pub(super) fn promising(rehearsal: &Rehearsal) -> impl Iterator<Item = &Ran> {
    rehearsal.ran.iter().filter(|ran| is_promising(&ran.plan))
}

/// Whether a plan can cost more than its rows: of two loops, one goes through more than the rows of one value.
fn is_promising(plan: &[String]) -> bool {
    let loops = || plan.iter().filter(|line| line.starts_with("SCAN") || line.starts_with("SEARCH"));
    let goes_through =
        |line: &&String| line.starts_with("SCAN") || !line.contains("=?") || line.contains(['<', '>']);
    loops().count() > 1 && loops().filter(goes_through).count() > 1
}

/// Fills the tables that a unit can reach with so many rows each: every value is another, a child's refer to parents.
fn fill(stage: &mut Live, scene: &Scene<'_>, rows: u64, small: &BTreeSet<String>) -> Result<(), SchemaError> {
    stage.begin_rows(false)?;
    for name in &scene.reach {
        let Some(table) = scene.objects.table("main", name) else { continue };
        let rows = if small.contains(name) { rows.min(FEW) } else { rows };
        // A constraint that a row breaks leaves that row out.
        let _ = stage.put(&filling(table, &scene.keyed(table), rows), &[]);
    }
    stage.end_rows()
}

fn filling(table: &Table, keyed: &BTreeSet<String>, rows: u64) -> String {
    let columns: Vec<String> = seeds::columns(table).map(|column| quoted(&column.name)).collect();
    let value = |(at, column): (usize, &crate::schema::Column)| {
        let is_key = keyed.contains(&column.name.to_lowercase());
        // What refers to a row, or is one's key, has the same numbers in all tables, so that they are found.
        if is_key { "n".to_owned() } else { format!("n * 10 + {at}") }
    };
    let values: Vec<String> = seeds::columns(table).enumerate().map(value).collect();
    format!(
        "INSERT OR IGNORE INTO {} ({}) WITH RECURSIVE made(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM made WHERE n < {rows}) \
         SELECT {} FROM made",
        qualified("main", &table.name),
        columns.join(", "),
        values.join(", ")
    )
}

impl Scene<'_> {
    /// The columns of a table that are keys or refer to others, in lower case.
    fn keyed(&self, table: &Table) -> BTreeSet<String> {
        let own = table
            .columns
            .iter()
            .filter(|column| column.primary_key > 0)
            .map(|column| column.name.to_lowercase());
        let keys = self.objects.foreign_keys.iter().filter(|key| key.table.eq_ignore_ascii_case(&table.name));
        let children = keys.flat_map(|key| key.columns.iter().map(|(column, _)| column.to_lowercase()));
        let looks = |name: &str| name == "id" || name.ends_with("_id") || name.ends_with("id");
        let named = table.columns.iter().map(|column| column.name.to_lowercase()).filter(|name| looks(name));
        own.chain(children).chain(named).collect()
    }
}

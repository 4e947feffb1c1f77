//! The rows before and after a unit, and what makes them, to be shown and run again elsewhere.

use super::{Rows, observe, scene::Scene, seeds, unit::units, walk::scene_of};
use crate::{
    schema::{
        Live, Objects, SchemaError, Table, qualified, quoted,
        rehearsal::{At, Ran, Rehearsal},
        sqlite::types::Value,
        statements,
    },
    workload::Database,
};
use std::collections::BTreeSet;

/// The most rows of a table that are shown.
const ROWS: usize = 20;

/// A unit run on rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// What people call it.
    pub name: String,
    /// What makes its tables, and what makes their indexes, views and triggers.
    pub schema: (Vec<String>, Vec<String>),
    /// The rows before it.
    pub before: Vec<ShownTable>,
    /// The rows behind it.
    pub after: Vec<ShownTable>,
    /// The highest numbers that AUTOINCREMENT gave before it, by table.
    pub sequences: Vec<(String, i64)>,
    /// Its statements, as far as it came; the last one is that which failed, if one did.
    pub statements: Vec<ShownStatement>,
    /// Whether a transaction is put around it.
    pub wrapped: bool,
    /// Whether a transaction is committed at its end: it may fail before, or have ended the one around it itself.
    pub commits: bool,
    /// Whether foreign keys are enforced when it begins.
    pub foreign_keys: bool,
    /// Why it failed; `None` where it did not.
    pub failure: Option<String>,
}

/// A statement of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownStatement {
    /// Its text.
    pub sql: String,
    /// Whether it fails without rows already, so that it was passed over.
    pub is_passed: bool,
}

/// A table with its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTable {
    /// Its name.
    pub name: String,
    /// Its columns, the rowid first where it is none.
    pub columns: Vec<String>,
    /// Its rows, each value as SQL.
    pub rows: Vec<Vec<String>>,
}

/// Runs the unit of a statement, by its place among what became of the schema's, on plain rows and those of these kinds.
/// `None` where rows don't matter to it.
///
/// # Errors
/// SQLite has no memory left.
pub fn show(database: &Database, outcome: usize, rows: &[Rows]) -> Result<Option<Shown>, SchemaError> {
    let units = units(database);
    let step = database.variant.outcomes.get(outcome).map(|one| one.step);
    let is_it = |number: usize| Some(number) == step;
    let place = units.iter().position(|unit| unit.steps.iter().any(|(number, _)| is_it(*number)));
    let Some((place, unit)) = place.and_then(|place| Some((place, units.get(place)?))) else {
        return Ok(None);
    };
    let Some(scene) = scene_of(database, &units, place)? else { return Ok(None) };
    let mut live = Live::open(database.variant.live.settings())?;
    scene.set(&mut live, rows)?;
    let state = observe::observe(&mut live, scene.objects.clone(), &scene.reach);
    let name_of = |table: &String| scene.objects.table("main", table).map(|table| table.name.clone());
    let sequences = state.sequences.iter().filter_map(|(table, highest)| Some((name_of(table)?, *highest)));
    let wanted = |name: &str| scene.reach.contains(&name.to_lowercase());
    let before = tables(&mut live, &scene.objects, &wanted);
    let rehearsal = live.rehearse(&scene.parts, &scene.manner());
    let objects = live.objects()?;
    let made = made(&rehearsal);
    let wanted = |name: &str| wanted(name) || made.iter().any(|one| one.eq_ignore_ascii_case(name));
    Ok(Some(Shown {
        name: unit.steps.first().map(|(_, step)| step.name.clone()).unwrap_or_default(),
        schema: schema(&scene.objects),
        before,
        after: tables(&mut live, &objects, &wanted),
        sequences: sequences.collect(),
        statements: ran(&scene, &rehearsal),
        wrapped: scene.wrapped,
        commits: commits(&scene, &rehearsal),
        foreign_keys: scene.before.enforces_keys(),
        failure: rehearsal.failure().map(|(_, refusal)| refusal.message.clone()),
    }))
}

/// Whether its runner commits what a unit did, even if that fails.
fn commits(scene: &Scene<'_>, rehearsal: &Rehearsal) -> bool {
    let is_open = scene.wrapped && !rehearsal.ran.iter().any(|ran| ran.escapes);
    rehearsal.commit.is_some() || (is_open && rehearsal.is_complete())
}

/// The statements of a unit, up to the one that failed.
fn ran(scene: &Scene<'_>, rehearsal: &Rehearsal) -> Vec<ShownStatement> {
    let last = rehearsal.failure().map(|(ran, _)| ran.at());
    let ran: BTreeSet<At> = rehearsal.ran.iter().map(Ran::at).collect();
    let of_part = |(part, text): (usize, &&str)| -> Vec<ShownStatement> {
        let came = statements(text).filter(|(start, _)| last.is_none_or(|last| (part, *start) <= last));
        let one = |(start, end)| {
            let sql = text.get(start..end).unwrap_or("").to_owned();
            ShownStatement { sql, is_passed: !ran.contains(&(part, start)) }
        };
        came.map(one).collect()
    };
    scene.parts.iter().enumerate().flat_map(of_part).collect()
}

/// The tables that a unit makes, alters or writes to.
fn made(rehearsal: &Rehearsal) -> Vec<String> {
    rehearsal.ran.iter().filter_map(Ran::effect).filter_map(|effect| effect.object.clone()).collect()
}

fn schema(objects: &Objects) -> (Vec<String>, Vec<String>) {
    // A virtual table makes its shadow tables, and AUTOINCREMENT its table of numbers.
    let is_own = |table: &&Table| table.schema == "main" && !table.is_made();
    let tables = objects.tables.iter().filter(is_own).map(|table| table.sql.clone());
    let indexes = objects.indexes.iter().filter_map(|index| index.sql.clone());
    let views = objects.views.iter().map(|view| view.sql.clone());
    let triggers = objects.triggers.iter().map(|trigger| trigger.sql.clone());
    (tables.collect(), indexes.chain(views).chain(triggers).collect())
}

fn tables(live: &mut Live, objects: &Objects, wanted: &dyn Fn(&str) -> bool) -> Vec<ShownTable> {
    let is_one =
        |table: &&Table| table.schema == "main" && observe::is_ordinary(table) && wanted(&table.name);
    objects.tables.iter().filter(is_one).map(|table| shown(live, table)).collect()
}

fn shown(live: &mut Live, table: &Table) -> ShownTable {
    let rowid = seeds::has_hidden_rowid(table).then(|| "rowid".to_owned());
    let columns: Vec<String> =
        rowid.into_iter().chain(seeds::columns(table).map(|column| column.name.clone())).collect();
    let terms: Vec<String> = columns.iter().map(|column| format!("quote({})", quoted(column))).collect();
    let sql = format!("SELECT {} FROM {}", terms.join(", "), qualified("main", &table.name));
    let text = |value: Value| match value {
        Value::Text(text) => text,
        _ => "NULL".to_owned(),
    };
    let rows = live.ask(&sql, ROWS).unwrap_or_default();
    let rows = rows.into_iter().map(|row| row.into_iter().map(text).collect()).collect();
    ShownTable { name: table.name.clone(), columns, rows }
}

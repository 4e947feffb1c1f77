//! What foreign keys add to a change of their parents: the look for children, planned and not guessed.

use super::Database;
use crate::{
    plan::Plan,
    schema::{ForeignKey, Live, Objects, quoted},
};
use rayon::prelude::*;

/// The plan of the work that a foreign key adds to a change of its parent.
#[derive(Debug, Clone)]
pub struct KeyPlan {
    /// The database.
    pub database: usize,
    /// The foreign key, as an index of the database's.
    pub foreign_key: usize,
    /// `parent_delete` or `parent_update`.
    pub purpose: &'static str,
    /// The change of the parent.
    pub sql: String,
    /// The plan.
    pub plan: Plan,
    /// The index with which the children are found, once one was tried, and served.
    pub index: Option<KeyIndex>,
}

/// An index for the children of a foreign key.
#[derive(Debug, Clone)]
pub struct KeyIndex {
    /// CREATE INDEX.
    pub sql: String,
    /// The step of the plan that goes by it.
    pub step: String,
}

/// Plans a DELETE of a parent and an UPDATE of its key, for every foreign key that is enforced.
pub fn key_plans(databases: &mut [Database]) -> Vec<KeyPlan> {
    let enforced =
        databases.par_iter_mut().enumerate().filter(|(_, database)| database.settings.foreign_keys);
    let plans = enforced.map(|(index, database)| of_database(index, database));
    plans.collect::<Vec<_>>().concat()
}

fn of_database(index: usize, database: &mut Database) -> Vec<KeyPlan> {
    let objects = &database.variant.objects;
    let live = &mut database.variant.live;
    let mut plans = Vec::new();
    for (number, key) in objects.foreign_keys.iter().enumerate().filter(|(_, key)| key.schema == "main") {
        for (purpose, sql) in changes(key, objects) {
            plans.extend(plan(live, &sql).map(|plan| KeyPlan {
                database: index,
                foreign_key: number,
                purpose,
                sql,
                plan,
                index: None,
            }));
        }
    }
    plans
}

/// A DELETE of one parent row, and an UPDATE of the columns that the key refers to.
fn changes(key: &ForeignKey, objects: &Objects) -> Vec<(&'static str, String)> {
    let Some(parent) = objects.tables.iter().find(|table| table.name.eq_ignore_ascii_case(&key.parent))
    else {
        return Vec::new();
    };
    let keys: Vec<String> = if parent.without_rowid {
        let columns = parent.columns.iter().filter(|column| column.primary_key > 0);
        columns.map(|column| format!("{} = ?", quoted(&column.name))).collect()
    } else {
        vec!["rowid = ?".to_owned()]
    };
    let filter = keys.join(" AND ");
    let table = quoted(&parent.name);
    let referred: Vec<String> = key
        .columns
        .iter()
        .filter_map(|(_, column)| column.as_ref())
        .map(|column| format!("{} = ?", quoted(column)))
        .collect();
    let mut changes = vec![("parent_delete", format!("DELETE FROM {table} WHERE {filter}"))];
    if !referred.is_empty() {
        changes.push(("parent_update", format!("UPDATE {table} SET {} WHERE {filter}", referred.join(", "))));
    }
    changes
}

fn plan(live: &mut Live, sql: &str) -> Option<Plan> {
    live.explain(sql).ok().map(|explained| explained.plan)
}

//! The index that finds the children of a foreign key, proved by planning a change of the parent with it.

use super::{index_name, spelled};
use crate::{
    plan::{Index, Op, Plan, Step},
    schema::replan::IndexTrial,
    workload::{Database, KeyIndex, KeyPlan},
};

/// Tries an index for each foreign key whose children are found by reading all of them.
pub fn serve_keys(databases: &mut [Database], plans: &mut [KeyPlan]) {
    for plans in plans.chunk_by_mut(|one, other| one.database == other.database) {
        let database = plans.first().and_then(|one| databases.get_mut(one.database));
        if let Some(database) = database {
            serve(database, plans);
        }
    }
}

/// What is tried for a plan, by its place.
struct Trial {
    at: usize,
    table: String,
    name: String,
    sql: String,
}

fn serve(database: &mut Database, plans: &mut [KeyPlan]) {
    let objects = &database.variant.objects;
    let trial = |(at, one): (usize, &KeyPlan)| {
        let key = objects.foreign_keys.get(one.foreign_key)?;
        reads_all(&one.plan, &key.table).then_some(())?;
        let columns: Vec<String> = key.columns.iter().map(|(column, _)| spelled(column)).collect();
        let list = format!("({})", columns.join(", "));
        let name = index_name(objects, &key.table, &list, &[]);
        let sql = format!("CREATE INDEX {name} ON {} {list}", spelled(&key.table));
        Some(Trial { at, table: key.table.clone(), name, sql })
    };
    let trials: Vec<Trial> = plans.iter().enumerate().filter_map(trial).collect();
    if trials.is_empty() {
        return;
    }
    let mut made = Vec::with_capacity(trials.len());
    for Trial { at, table, name, sql } in &trials {
        let texts = plans.get(*at).map(|plan| (plan.sql.as_str(), &plan.plan)).into_iter().collect();
        made.push(IndexTrial { change: sql, index: name, table, is_unique: false, texts });
    }
    let Ok(mut workshop) = database.variant.live.workshop() else { return };
    let found = workshop.plans_after_each(&made);
    drop(workshop);
    for (trial, found) in trials.iter().zip(found) {
        let step = found.iter().flatten().find_map(|plan| goes_by(plan, trial));
        if let (Some(step), Some(one)) = (step, plans.get_mut(trial.at)) {
            one.index = Some(KeyIndex { sql: trial.sql.clone(), step: step.detail.clone() });
        }
    }
}

/// Whether a plan reads all rows of a table.
fn reads_all(plan: &Plan, table: &str) -> bool {
    let is_it = |name: &Option<String>| name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(table));
    plan.steps.iter().any(|step| step.op == Op::Scan && is_it(&step.name))
}

/// The step of a plan that finds rows by the index on trial.
fn goes_by<'a>(plan: &'a Plan, trial: &Trial) -> Option<&'a Step> {
    let own = trial.name.trim_matches('"');
    let is_own = |index: &Option<Index>| matches!(index, Some(Index::Named { name, .. }) if name.eq_ignore_ascii_case(own));
    plan.steps.iter().find(|step| step.op == Op::Search && is_own(&step.index))
}

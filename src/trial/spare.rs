//! Indexes that nothing needs: each is left out, and all that goes by it is planned again. Plans, and measures nothing.

use super::{Action, Effect, Trial, Verdict, change, compare};
use crate::{
    growth::Class,
    plan::{Index, Op, Plan, Step},
    schema::{IndexColumn, IndexObject, Live, Objects, Origin, same, variant::Variant},
    workload::{KeyPlan, Statement},
};
use std::collections::BTreeMap;

/// The indexes that can be left out and no statement is worse off: those whose columns another one begins with, and those
/// that nothing goes by.
pub(super) fn find(variant: &mut Variant, own: &[(usize, &Statement)], keys: &[&KeyPlan]) -> Vec<Trial> {
    let Variant { live, objects, .. } = variant;
    let texts = texts(own);
    let is_spare = |index: &&IndexObject| index.origin == Origin::Create && !index.unique;
    let indexes = objects.indexes.iter().filter(is_spare);
    indexes.filter_map(|index| tried(live, objects, index, &texts, keys)).collect()
}

/// The texts that are planned on the schema as it is in the end, each with its plan and the statements that say it.
fn texts<'a>(own: &[(usize, &'a Statement)]) -> BTreeMap<&'a str, (&'a Plan, Vec<usize>)> {
    let mut texts: BTreeMap<&str, (&Plan, Vec<usize>)> = BTreeMap::new();
    for (place, statement) in own.iter().filter(|(_, one)| one.step.is_none()) {
        let Some(explained) = statement.explained() else { continue };
        let text = texts.entry(statement.text.as_str()).or_insert((&explained.plan, Vec::new()));
        text.1.push(*place);
    }
    texts
}

fn tried(
    live: &mut Live,
    objects: &Objects,
    index: &IndexObject,
    texts: &BTreeMap<&str, (&Plan, Vec<usize>)>,
    keys: &[&KeyPlan],
) -> Option<Trial> {
    let users: Vec<_> = texts.iter().filter(|(_, (plan, _))| compare::uses(plan, index)).collect();
    let of_keys = keys.iter().filter(|key| compare::uses(&key.plan, index));
    let sought = users.iter().map(|(text, (plan, _))| (**text, *plan));
    let sought: Vec<(&str, &Plan)> = sought.chain(of_keys.map(|key| (key.sql.as_str(), &key.plan))).collect();
    let holder = holder(objects, index);
    if holder.is_none() && !sought.is_empty() {
        return None;
    }
    let (sql, run) = change::drop_index(index);
    let plans = as_well(live, &run, &sought)?;
    let mut effects: Vec<Effect> = Vec::new();
    for ((_, (was, places)), is) in users.iter().zip(&plans) {
        effects.extend(places.iter().map(|&statement| Effect {
            statement,
            verdict: Verdict::Same,
            before: Class::Constant,
            after: Class::Constant,
            plan: is.lines(),
            gone: compare::only_in(was, is),
            come: compare::only_in(is, was),
            cure: None,
        }));
    }
    effects.sort_by_key(|effect| effect.statement);
    Some(Trial {
        database: 0,
        action: Action::DropIndex,
        table: index.table.clone(),
        index: index.name.clone(),
        also: Vec::new(),
        sql,
        step: None,
        holder,
        effects,
    })
}

/// The plans of texts on a schema that is changed for them; `None` where one of them does more than before.
pub(super) fn as_well(live: &mut Live, change: &str, texts: &[(&str, &Plan)]) -> Option<Vec<Plan>> {
    if texts.is_empty() {
        return Some(Vec::new());
    }
    let sought: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
    let plans: Option<Vec<Plan>> = live.workshop().ok()?.plans_after(change, &sought).into_iter().collect();
    plans.filter(|plans| {
        plans.len() == texts.len() && texts.iter().zip(plans).all(|((_, was), is)| is_no_worse(was, is))
    })
}

/// What begins with all columns of an index, in their order: another index, or the table itself. Of two that are alike,
/// the one whose name comes first.
fn holder(objects: &Objects, index: &IndexObject) -> Option<String> {
    let keys = |one: &IndexObject| -> Vec<IndexColumn> {
        one.columns.iter().filter(|column| column.key).cloned().collect()
    };
    let own = keys(index);
    if own.is_empty() || index.filter.is_some() {
        return None;
    }
    let table = objects.table(&index.schema, &index.table)?;
    if let ([one], Some(alias)) = (own.as_slice(), table.rowid_alias())
        && one.name.as_ref().is_some_and(|name| same(name, &alias.name))
    {
        return Some("the primary key".to_owned());
    }
    let place = |one: &IndexObject| objects.indexes.iter().position(|other| other == one);
    let mut others = objects.indexes_of(&index.schema, &index.table).filter(|other| *other != index);
    let holder = others.find(|other| {
        let theirs = keys(other);
        let begins = theirs.starts_with(&own) && other.filter.is_none();
        let is_alike = theirs.len() == own.len();
        let is_first = other.origin != Origin::Create || other.unique || place(other) < place(index);
        begins && (!is_alike || is_first)
    })?;
    Some(match holder.origin {
        Origin::Create => format!("`{}`", holder.name),
        Origin::Unique => "the index of a UNIQUE constraint".to_owned(),
        Origin::PrimaryKey => "the index of the primary key".to_owned(),
    })
}

/// Whether a plan does no more than another, the programs of triggers and foreign keys included.
fn is_no_worse(was: &Plan, is: &Plan) -> bool {
    let count = |plan: &Plan, is: &dyn Fn(&Step) -> bool| plan.steps.iter().filter(|step| is(step)).count();
    let full = |step: &Step| match step.op {
        Op::Scan => true,
        Op::Search => step.is_automatic() || step.terms.is_empty(),
        _ => false,
    };
    let sorts = |step: &Step| matches!(step.op, Op::TempBTree(_));
    let covering =
        |step: &Step| step.is_covering() || matches!(step.index, Some(Index::PrimaryKey | Index::Rowid));
    let terms = |plan: &Plan| plan.steps.iter().map(|step| step.terms.len()).sum::<usize>();
    count(is, &full) <= count(was, &full)
        && count(is, &sorts) <= count(was, &sorts)
        && count(is, &covering) >= count(was, &covering)
        && terms(is) >= terms(was)
}

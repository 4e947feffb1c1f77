//! Indexes that nothing needs, or not in the order that they have: each is left out, or made anew, and all that goes by it
//! is planned again. Plans, and measures nothing.

use super::{Action, Effect, Trial, Verdict, change, compare};
use crate::{
    growth::Class,
    obstacle::spelled,
    plan::{Index, Op, Plan, Step},
    price::{Order, Priced, Tree},
    schema::{
        IndexColumn, IndexObject, Live, Objects, Origin, quoted, replan::IndexTrial, same, variant::Variant,
    },
    workload::{KeyPlan, Statement},
};
use std::collections::BTreeMap;

/// The indexes that can be left out and no statement is worse off: those whose columns another one begins with, and those
/// that nothing goes by. And those whose keys come in no order, where another index does as well for all that goes by
/// them, or the same columns in an order in which they grow at their end.
pub(super) fn find(
    variant: &mut Variant,
    own: &[(usize, &Statement)],
    keys: &[&KeyPlan],
    database: usize,
    prices: &[Priced],
) -> Vec<Trial> {
    let Variant { live, objects, .. } = variant;
    let texts = texts(own);
    let plans = texts.values().map(|(plan, _)| *plan).chain(keys.iter().map(|key| &key.plan));
    let by_index = compare::by_index(plans);
    let texts: Vec<Said<'_>> = texts.into_iter().collect();
    let prices: Vec<&Priced> = prices.iter().filter(|one| one.database == database).collect();
    let is_spare = |index: &&IndexObject| index.origin == Origin::Create;
    let mut candidates = Vec::new();
    for index in objects.indexes.iter().filter(is_spare) {
        let named = by_index.get(&index.name.to_ascii_lowercase()).map_or(&[][..], Vec::as_slice);
        let mut users = Users::new((&texts, keys), named, index);
        let holder = holder(objects, index);
        // What nothing else enforces is needed, whoever goes by it.
        if holder.is_none() && index.unique {
            continue;
        }
        if holder.is_none() && !users.sought.is_empty() {
            users.costly = costly(&prices, index);
            if users.costly.is_none() {
                continue;
            }
        }
        candidates.push((index, users, holder, change::drop_index(index)));
    }
    let trials = candidates.iter().map(|(index, users, _, (_, run))| IndexTrial {
        change: run,
        index: &index.name,
        table: &index.table,
        is_unique: index.unique,
        texts: users.sought.clone(),
    });
    let trials: Vec<IndexTrial<'_>> = trials.collect();
    let Ok(mut workshop) = live.workshop() else { return Vec::new() };
    let left_out = workshop.plans_after_each(&trials);
    drop(workshop);
    let mut found = Vec::new();
    for ((index, users, holder, (sql, _)), plans) in candidates.into_iter().zip(left_out) {
        let trial = users.as_well(plans).map(|plans| users.trial(index, Action::DropIndex, sql, &plans));
        match users.costly {
            Some(tree) if trial.is_none() => found.extend(users.reordered(live, index, tree)),
            _ => found.extend(trial.map(|trial| Trial { holder, ..trial })),
        }
    }
    found
}

/// The price of an index whose keys come in no order.
fn costly<'a>(prices: &[&'a Priced], index: &IndexObject) -> Option<&'a Tree> {
    let is_own = |one: &&&Priced| same(&one.table, &index.table);
    let mut trees = prices.iter().filter(is_own).flat_map(|one| &one.trees);
    let is_index = |tree: &&Tree| tree.index.as_ref().is_some_and(|name| same(name, &index.name));
    trees.find(is_index).filter(|tree| matches!(tree.order, Order::Random(_)))
}

/// A text, with its plan and the statements that say it.
type Said<'a> = (&'a str, (&'a Plan, Vec<usize>));

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

/// What goes by an index.
struct Users<'a> {
    /// The texts of statements, with their plans and places.
    texts: Vec<(&'a str, &'a Plan, &'a [usize])>,
    /// The same, and the work of foreign keys.
    sought: Vec<(&'a str, &'a Plan)>,
    /// What it is searched by is to be the same as before where it is left out for its price: otherwise another index may find
    /// more rows by as many columns.
    costly: Option<&'a Tree>,
}

impl<'a> Users<'a> {
    /// Of the texts and the work of foreign keys, those that are named.
    fn new((texts, keys): (&'a [Said<'a>], &[&'a KeyPlan]), named: &[usize], index: &IndexObject) -> Self {
        let texts_named = named.iter().filter_map(|&at| texts.get(at));
        let users = texts_named.filter(|(_, (plan, _))| compare::uses(plan, index));
        let said: Vec<(&str, &Plan, &[usize])> =
            users.map(|(text, (plan, places))| (*text, *plan, places.as_slice())).collect();
        let keys_named = named.iter().filter_map(|&at| keys.get(at.checked_sub(texts.len())?));
        let of_keys = keys_named.filter(|key| compare::uses(&key.plan, index));
        let sought = said.iter().map(|(text, plan, _)| (*text, *plan));
        let sought = sought.chain(of_keys.map(|key| (key.sql.as_str(), &key.plan))).collect();
        Self { texts: said, sought, costly: None }
    }

    /// The plans with another schema, where none of them does more than before.
    fn as_well(&self, plans: Vec<Option<Plan>>) -> Option<Vec<Plan>> {
        let plans = no_worse(plans, &self.sought)?;
        let is_same = |((_, was), is): (&(&str, &Plan), &Plan)| seeks_the_same(was, is);
        let is_so = self.costly.is_none() || self.sought.iter().zip(&plans).all(is_same);
        is_so.then_some(plans)
    }

    /// Gives it its columns in the order in which its keys come in order.
    fn reordered(&self, live: &mut Live, index: &IndexObject, tree: &Tree) -> Option<Trial> {
        let keys: Vec<&IndexColumn> = index.columns.iter().filter(|column| column.key).collect();
        let order = tree.in_order(keys.len())?;
        let term = |at: &usize| {
            let column = keys.get(*at)?;
            let direction = if column.descending { " DESC" } else { "" };
            // Another collation than the column's own would have to be said.
            let name = column.name.as_ref().filter(|_| same(&column.collation, "BINARY"))?;
            Some(format!("{}{direction}", spelled(name)))
        };
        let terms: Vec<String> = order.iter().map(term).collect::<Option<_>>()?;
        let terms = terms.join(", ");
        let (drop, run) = change::drop_index(index);
        let (schema, table) = (quoted(&index.schema), quoted(&index.table));
        let name = quoted(&index.name);
        let run = format!("{run}; CREATE INDEX {schema}.{name} ON {table} ({terms})");
        let sql =
            format!("{drop}; CREATE INDEX {} ON {} ({terms})", spelled(&index.name), spelled(&index.table));
        let sought: Vec<&str> = self.sought.iter().map(|(text, _)| *text).collect();
        let plans = self.as_well(live.workshop().ok()?.plans_after(&run, &sought))?;
        Some(self.trial(index, Action::ReplaceIndex, sql, &plans))
    }

    fn trial(&self, index: &IndexObject, action: Action, sql: String, plans: &[Plan]) -> Trial {
        let mut effects: Vec<Effect> = Vec::new();
        for ((_, was, places), is) in self.texts.iter().zip(plans) {
            effects.extend(places.iter().map(|&statement| Effect {
                statement,
                verdict: Verdict::Same,
                before: Class::Constant,
                after: Class::Constant,
                measured: None,
                plan: is.lines(),
                gone: compare::only_in(was, is),
                come: compare::only_in(is, was),
                cure: None,
            }));
        }
        effects.sort_by_key(|effect| effect.statement);
        Trial {
            database: 0,
            action,
            table: index.table.clone(),
            index: index.name.clone(),
            also: Vec::new(),
            sql,
            step: None,
            holder: None,
            effects,
        }
    }
}

/// Whether all that is read is sought by the same columns.
fn seeks_the_same(was: &Plan, is: &Plan) -> bool {
    let terms = |plan: &Plan| {
        let steps = plan.steps.iter().flat_map(|step| {
            step.terms.iter().map(|term| (step.name.clone(), term.column.to_lowercase(), term.kind))
        });
        let mut terms: Vec<_> = steps.collect();
        terms.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
        terms
    };
    terms(was) == terms(is)
}

/// The plans of texts on a schema that is changed for them; `None` where one of them does more than before.
pub(super) fn as_well(live: &mut Live, change: &str, texts: &[(&str, &Plan)]) -> Option<Vec<Plan>> {
    if texts.is_empty() {
        return Some(Vec::new());
    }
    let sought: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
    no_worse(live.workshop().ok()?.plans_after(change, &sought), texts)
}

/// Plans of texts on another schema; `None` where one of them does more than before.
fn no_worse(plans: Vec<Option<Plan>>, texts: &[(&str, &Plan)]) -> Option<Vec<Plan>> {
    let plans: Option<Vec<Plan>> = plans.into_iter().collect();
    plans.filter(|plans| {
        plans.len() == texts.len() && texts.iter().zip(plans).all(|((_, was), is)| is_no_worse(was, is))
    })
}

/// What begins with all columns of an index, in their order: another index, or the table itself. Of two that are alike,
/// the one whose name comes first. What enforces that rows differ is held by what enforces just the same.
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
        let is_first = other.origin != Origin::Create || place(other) < place(index);
        if index.unique {
            return begins && is_alike && other.unique && is_first;
        }
        begins && (!is_alike || is_first || other.unique)
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

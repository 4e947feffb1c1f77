//! Indexes that nothing needs, or not in the order that they have: each is left out, or made anew, and all that goes by it
//! is planned again. Plans, and measures nothing.

use super::{Action, Effect, Trial, Verdict, change, compare};
use crate::{
    growth::Class,
    obstacle::spelled,
    plan::{Index, Op, Plan, Step},
    price::{Order, Priced, Tree},
    schema::{IndexColumn, IndexObject, Live, Objects, Origin, quoted, same, variant::Variant},
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
    let is_spare = |index: &&IndexObject| index.origin == Origin::Create && !index.unique;
    let mut found = Vec::new();
    for index in objects.indexes.iter().filter(is_spare) {
        let mut users = Users::new(&texts, keys, index);
        let holder = holder(objects, index);
        if holder.is_some() || users.sought.is_empty() {
            found.extend(users.tried(live, index, holder));
        } else if let Some(tree) = costly(prices, database, index) {
            users.need_the_same = true;
            let dropped = users.tried(live, index, None);
            found.extend(dropped.or_else(|| users.reordered(live, index, tree)));
        }
    }
    found
}

/// The price of an index whose keys come in no order.
fn costly<'a>(prices: &'a [Priced], database: usize, index: &IndexObject) -> Option<&'a Tree> {
    let is_own = |one: &&Priced| one.database == database && same(&one.table, &index.table);
    let mut trees = prices.iter().filter(is_own).flat_map(|one| &one.trees);
    let is_index = |tree: &&Tree| tree.index.as_ref().is_some_and(|name| same(name, &index.name));
    trees.find(is_index).filter(|tree| matches!(tree.order, Order::Random(_)))
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

/// What goes by an index.
struct Users<'a> {
    /// The texts of statements, with their plans and places.
    texts: Vec<(&'a str, &'a Plan, &'a [usize])>,
    /// The same, and the work of foreign keys.
    sought: Vec<(&'a str, &'a Plan)>,
    /// What is sought by is to be the same as before: otherwise another index may find more rows by as many columns.
    need_the_same: bool,
}

impl<'a> Users<'a> {
    fn new(
        texts: &'a BTreeMap<&'a str, (&'a Plan, Vec<usize>)>,
        keys: &[&'a KeyPlan],
        index: &IndexObject,
    ) -> Self {
        let users = texts.iter().filter(|(_, (plan, _))| compare::uses(plan, index));
        let texts: Vec<(&str, &Plan, &[usize])> =
            users.map(|(text, (plan, places))| (*text, *plan, places.as_slice())).collect();
        let of_keys = keys.iter().filter(|key| compare::uses(&key.plan, index));
        let sought = texts.iter().map(|(text, plan, _)| (*text, *plan));
        let sought = sought.chain(of_keys.map(|key| (key.sql.as_str(), &key.plan))).collect();
        Self { texts, sought, need_the_same: false }
    }

    /// Leaves the index out.
    fn tried(&self, live: &mut Live, index: &IndexObject, holder: Option<String>) -> Option<Trial> {
        let (sql, run) = change::drop_index(index);
        let trial = self.trial(live, index, Action::DropIndex, (sql, &run))?;
        Some(Trial { holder, ..trial })
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
        self.trial(live, index, Action::ReplaceIndex, (sql, &run))
    }

    fn trial(
        &self,
        live: &mut Live,
        index: &IndexObject,
        action: Action,
        (sql, run): (String, &str),
    ) -> Option<Trial> {
        let plans = as_well(live, run, &self.sought)?;
        let is_same = |((_, was), is): (&(&str, &Plan), &Plan)| seeks_the_same(was, is);
        if self.need_the_same && !self.sought.iter().zip(&plans).all(is_same) {
            return None;
        }
        let mut effects: Vec<Effect> = Vec::new();
        for ((_, was, places), is) in self.texts.iter().zip(&plans) {
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
            action,
            table: index.table.clone(),
            index: index.name.clone(),
            also: Vec::new(),
            sql,
            step: None,
            holder: None,
            effects,
        })
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

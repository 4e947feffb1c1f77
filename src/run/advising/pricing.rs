//! What an index that is advised costs: its table is priced as it is, and on a copy of the schema that has the index.

use super::place;
use crate::{
    extract::Role,
    price::{self, Keys, Known, Load, Order, Priced, Tree},
    report::advice::{Measured, Price, Update},
    run::Outcome,
    schema::{IndexObject, Live, Objects, WriteAction, same},
    trial::Advice,
};
use std::collections::BTreeMap;

/// As many rows are put in to measure.
const ROWS: u64 = 200_000;

/// What is known of a database to price its indexes.
pub(super) struct Pricer<'a> {
    outcome: &'a Outcome,
    database: usize,
    keys: Keys,
    live: Live,
    measures: bool,
}

impl<'a> Pricer<'a> {
    /// Of a database, and a copy of its schema.
    pub fn new(outcome: &'a Outcome, database: usize, live: Live, measures: bool) -> Self {
        let analysis = &outcome.analysis;
        let no_objects = Objects::default();
        let objects = analysis.databases.get(database).map_or(&no_objects, |one| &one.variant.objects);
        let known = Known {
            statements: &analysis.statements,
            columns: &analysis.pricing.columns,
            measured: &analysis.measured,
            has_timed: analysis.pricing.has_timed,
        };
        let keys = Keys::new(&known, database, objects);
        Self { outcome, database, keys, live, measures }
    }

    /// The price of an index, and of those that it replaces.
    pub fn price(&mut self, advice: &Advice) -> Option<Price> {
        let was = self.live.objects().ok()?;
        let mut changed = self.live.copy().ok()?;
        let drops = advice.replaced.iter().map(|(drop, _)| drop.as_str());
        for sql in std::iter::once(advice.sql.as_str()).chain(drops) {
            let applied = changed.apply(sql);
            applied.iter().all(|one| one.outcome.is_ok()).then_some(())?;
        }
        let mut is = changed.objects().ok()?;
        let is_new = |one: &IndexObject| !was.indexes.iter().any(|other| other.name == one.name);
        let made_partial = is.indexes.iter_mut().filter(|one| is_new(one) && one.filter.is_some());
        let is_partial = made_partial.map(|one| one.filter = None).count() > 0;
        let load = self.load(&advice.table);
        let of = |objects: &Objects| -> Option<Priced> {
            Some(price::priced(&self.keys, objects, objects.table("main", &advice.table)?, load))
        };
        let (before, after) = (of(&was)?, of(&is)?);
        let made: Vec<&Tree> = only_in(&after, &before);
        let bytes = |priced: &Priced| priced.trees.iter().map(|tree| tree.bytes).sum::<f64>();
        let (order, column) = order(&made);
        let (least, most) = price::total(&after.trees, load);
        Some(Price {
            rows: load.rows,
            per_transaction: load.per_transaction,
            before: price::total(&before.trees, load),
            after: if is_partial { (price::total(&before.trees, load).0, most) } else { (least, most) },
            is_partial,
            order,
            column,
            bytes: (bytes(&after) - bytes(&before)).round() as i64,
            updates: self.updates(&advice.table, (&was, &before), (&is, &after)),
            measured: self.measures.then(|| measured(&before, &after)).flatten(),
        })
    }

    fn load(&self, table: &str) -> Load {
        let mut own = self.outcome.analysis.pricing.prices.iter().filter(|one| one.database == self.database);
        own.find(|one| same(&one.table, table)).map_or_else(Load::default, |one| one.load)
    }

    /// What UPDATEs of columns write more, by the first statement that sets each.
    fn updates(&self, table: &str, was: (&Objects, &Priced), is: (&Objects, &Priced)) -> Vec<Update> {
        let analysis = &self.outcome.analysis;
        let mut columns: BTreeMap<String, usize> = BTreeMap::new();
        for (at, statement) in analysis.statements.iter().enumerate() {
            let role = analysis.extraction.literals.get(statement.literal).map(|literal| literal.role);
            let is_own = statement.database() == Some(self.database) && role == Some(Role::Production);
            let Some(explained) = statement.explained().filter(|_| is_own) else { continue };
            for write in explained.writes.iter().filter(|write| same(&write.table, table)) {
                if let WriteAction::Update(column) = &write.action {
                    columns.entry(column.to_lowercase()).or_insert(at);
                }
            }
        }
        let updates = columns.into_iter().filter_map(|(column, at)| {
            let (before, after) = (of_column(was, &column), of_column(is, &column));
            let pages = (after.0 - before.0, after.1 - before.1);
            (pages.1 > 0.005).then(|| Update { column, place: place(self.outcome, at), pages })
        });
        updates.collect()
    }
}

/// What an UPDATE of a column writes in the indexes that hold it, at least and at most.
fn of_column((objects, priced): (&Objects, &Priced), column: &str) -> (f64, f64) {
    let holds = |tree: &&Tree| {
        let index = objects.indexes_of(&priced.schema, &priced.table);
        let mut own = index.filter(|index| tree.index.as_ref() == Some(&index.name));
        own.any(|index| {
            index.columns.iter().any(|part| part.name.as_ref().is_some_and(|name| same(name, column)))
        })
    };
    let trees = priced.trees.iter().filter(|tree| !tree.is_table).filter(holds);
    let pages = trees.map(|tree| tree.pages_of_update(priced.load));
    pages.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

fn only_in<'a>(here: &'a Priced, there: &Priced) -> Vec<&'a Tree> {
    let is_there = |tree: &&Tree| !there.trees.iter().any(|other| other.index == tree.index);
    here.trees.iter().filter(is_there).collect()
}

/// In which order keys come, and by which column not: the worst of several.
fn order(trees: &[&Tree]) -> (&'static str, Option<String>) {
    let mut found = ("ordered", None);
    for tree in trees {
        match &tree.order {
            Order::Random(column) => return ("random", Some(column.clone())),
            Order::Unknown(column) => found = ("unknown", Some(column.clone())),
            Order::Few | Order::Ordered => {}
        }
    }
    found
}

/// Puts rows into tables of the same shape: into what stays, what comes and what goes.
fn measured(before: &Priced, after: &Priced) -> Option<Measured> {
    let load = Load { rows: before.load.rows.min(ROWS), ..before.load };
    let (goes, comes) = (only_in(before, after), only_in(after, before));
    let stays = before.trees.iter().filter(|tree| !goes.contains(tree)).collect();
    let measure = |trees: Vec<&Tree>| {
        let trees: Vec<Tree> = trees.into_iter().cloned().collect();
        if trees.is_empty() { Some(0.0) } else { Some(price::measure(&trees, load).ok()?.pages) }
    };
    let (stays, goes, comes) = (measure(stays)?, measure(goes)?, measure(comes)?);
    let predicted = (price::total(&before.trees, load).1, price::total(&after.trees, load).1);
    Some(Measured { rows: load.rows, pages: (stays + goes, stays + comes), predicted })
}

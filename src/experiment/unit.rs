//! What of a migration runs together, and which tables it can reach. Knows words and the schema before it; runs nothing.

pub(super) use crate::extract::sql::contains_word as has_word;

use crate::{
    migration::{Runs, Step, mentions},
    schema::{Entry, Kind, statements},
    workload::Database,
};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that run together or not at all.
#[derive(Debug, Clone)]
pub(super) struct Unit<'a> {
    /// The steps, with their numbers in the declaration.
    pub steps: Vec<(usize, &'a Step)>,
}

impl<'a> Unit<'a> {
    /// The texts, in order.
    pub fn parts(&self) -> Vec<&'a str> {
        self.steps.iter().map(|(_, step)| step.text.as_str()).collect()
    }

    /// The texts of their statements.
    fn statements(&self) -> impl Iterator<Item = &'a str> {
        self.steps.iter().flat_map(|(_, step)| {
            let text = step.text.as_str();
            statements(text).map(move |(start, end)| text.get(start..end).unwrap_or(""))
        })
    }

    /// Whether all of its text is known.
    pub fn is_known(&self) -> bool {
        self.steps.iter().all(|(_, step)| step.text.holes().is_empty() && !step.replaces)
    }

    /// Whether rows can matter to it, or it to rows.
    pub fn is_risky(&self) -> bool {
        let is_risky = |sql: &str| match Kind::of(sql) {
            Kind::AlterTable
            | Kind::DropTable
            | Kind::DropView
            | Kind::Insert
            | Kind::Replace
            | Kind::Update
            | Kind::Delete
            | Kind::Transaction
            | Kind::Vacuum => true,
            // One that asks and does not set has no value.
            Kind::Pragma => sql.contains(['=', '(']),
            Kind::CreateIndex => sql.get(..40.min(sql.len())).is_none_or(|head| has_word(head, "unique")),
            _ => false,
        };
        self.statements().any(is_risky)
    }

    /// Whether it can lose what it does not name: it drops, renames or deletes, and what goes by that goes along.
    pub fn can_lose(&self) -> bool {
        let can = |sql: &str| match Kind::of(sql) {
            Kind::DropTable | Kind::DropView | Kind::Delete | Kind::Replace => true,
            Kind::AlterTable => !has_word(sql, "add"),
            _ => false,
        };
        self.statements().any(can)
    }

    /// Whether the values of rows decide what it does: it reads them, or makes them keep a constraint.
    pub fn reads_values(&self) -> bool {
        let reads = |sql: &str| match Kind::of(sql) {
            Kind::Insert | Kind::Replace => has_word(sql, "select"),
            Kind::Update | Kind::CreateIndex => true,
            Kind::AlterTable => ["check", "set", "constraint"].iter().any(|word| has_word(sql, word)),
            _ => false,
        };
        self.statements().any(reads)
    }

    /// Whether a runner puts a transaction around it; `None` where that is not known.
    pub fn wrapped(&self) -> Option<bool> {
        let mut all = self.steps.iter().map(|(_, step)| step.wrapped);
        let first = all.next()??;
        all.all(|other| other == Some(first)).then_some(first)
    }

    /// The tables of the schema before it that it can reach, in lower case: those that it names, itself or by a view, those
    /// that refer to them, and those that their triggers name.
    pub fn reach(&self, ties: &Ties<'_>) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<String> = self.statements().flat_map(|sql| ties.named(sql)).collect();
        while let Some(name) = waiting.pop() {
            if reached.len() < MOST && reached.insert(name.clone()) {
                waiting.extend(ties.children.get(&name).into_iter().flatten().cloned());
                waiting.extend(ties.texts.get(&name).into_iter().flatten().flat_map(|sql| ties.named(sql)));
            }
        }
        // Parents are there to be found.
        let parents: Vec<String> =
            reached.iter().flat_map(|name| ties.parents.get(name).into_iter().flatten().cloned()).collect();
        reached.extend(parents);
        reached.retain(|name| ties.tables.contains(name));
        reached
    }
}

/// The most tables that one unit is followed to.
const MOST: usize = 100;

/// What leads from one table to others, by names in lower case.
#[derive(Default)]
pub(super) struct Ties<'a> {
    /// The tables, virtual ones aside.
    pub tables: BTreeSet<String>,
    names: BTreeSet<String>,
    children: BTreeMap<String, Vec<String>>,
    parents: BTreeMap<String, Vec<String>>,
    /// The triggers on a table or view, and the text of a view.
    texts: BTreeMap<String, Vec<&'a str>>,
}

impl<'a> Ties<'a> {
    pub fn new(before: &'a [Entry]) -> Self {
        let mut ties = Self::default();
        for entry in before {
            let name = entry.name.to_lowercase();
            match entry.kind.as_str() {
                "table" => {
                    for parent in entry.parents().into_iter().map(|parent| parent.to_lowercase()) {
                        ties.children.entry(parent.clone()).or_default().push(name.clone());
                        ties.parents.entry(name.clone()).or_default().push(parent);
                    }
                    ties.names.insert(name.clone());
                    if !entry.is_virtual() {
                        ties.tables.insert(name);
                    }
                }
                "view" => {
                    ties.texts.entry(name.clone()).or_default().push(&entry.sql);
                    ties.names.insert(name);
                }
                "trigger" => {
                    ties.texts.entry(entry.table.to_lowercase()).or_default().push(&entry.sql);
                }
                _ => {}
            }
        }
        ties
    }

    /// The tables and views that a text names.
    fn named(&self, sql: &str) -> Vec<String> {
        names(sql).into_iter().filter(|name| self.names.contains(name)).collect()
    }
}

/// The tables without which others can't be written to: those, and all that their foreign keys lead to.
pub(super) fn with_ancestors(reach: &BTreeSet<String>, ties: &Ties<'_>) -> BTreeSet<String> {
    all_from(reach.iter().cloned(), |name| ties.parents.get(name).cloned().unwrap_or_default())
}

/// These names, and all that `next` leads to from any of them.
pub(super) fn all_from(
    names: impl IntoIterator<Item = String>,
    next: impl Fn(&str) -> Vec<String>,
) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut waiting: Vec<String> = names.into_iter().collect();
    while let Some(name) = waiting.pop() {
        if !all.contains(&name) {
            waiting.extend(next(&name));
            all.insert(name);
        }
    }
    all
}

/// The units of a database, in the order in which they run on an old one.
pub(super) fn units(database: &Database) -> Vec<Unit<'_>> {
    let steps = &database.declaration.steps;
    // What makes a new database of the newest schema leaves its migrations nothing to do.
    let runs = |step: &Step| !database.is_snapshot || step.runs == Runs::Migration;
    let mut units: Vec<Unit<'_>> = Vec::new();
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| runs(step)) {
        let last = units.last_mut();
        let same = |unit: &Unit<'_>| {
            unit.steps.last().is_some_and(|(_, last)| {
                // What one function runs is one, text by text.
                let is_function = last.is_loose && step.is_loose && last.name == step.name;
                let is_one = last.unit == step.unit
                    || (is_function && last.home == step.home && last.version == step.version);
                is_one && last.runs == step.runs
            })
        };
        match last.filter(|unit| same(unit)) {
            Some(unit) => unit.steps.push((index, step)),
            None => units.push(Unit { steps: vec![(index, step)] }),
        }
    }
    units
}

/// The names in a text, in lower case, quoted or not; keywords are among them.
pub(super) fn names(sql: &str) -> BTreeSet<String> {
    let is_end = |one: char| !one.is_alphanumeric() && one != '_' && one != '$';
    let mut names: BTreeSet<String> =
        sql.split(is_end).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    // Names with signs in them stand in quotes.
    let found = mentions(sql);
    names.extend(found.created.into_iter().chain(found.used));
    names
}

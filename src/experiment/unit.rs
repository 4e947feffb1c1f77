//! What of a migration runs together, and which tables it can reach. Knows words and the schema before it; runs nothing.

pub(super) use crate::extract::sql::contains_word as has_word;

use crate::{
    extract::{is_sql, text::Text},
    migration::{Runs, Step},
    schema::{Kind, statements, ties::Ties},
    source::{Site, folder_of},
    workload::Database,
};
use std::collections::BTreeSet;

/// Steps that run together or not at all.
#[derive(Debug, Clone)]
pub(super) struct Unit<'a> {
    /// The steps, with their numbers in the declaration.
    pub steps: Vec<(usize, &'a Step)>,
}

impl<'a> Unit<'a> {
    /// The number of its first step.
    pub fn first(&self) -> usize {
        self.steps.first().map_or(0, |(number, _)| *number)
    }

    /// The list that runs it in its turn.
    pub fn list(&self) -> Option<Site> {
        self.steps.first()?.1.list
    }

    /// The texts, in order.
    pub fn parts(&self) -> Vec<&'a str> {
        self.steps.iter().map(|(_, step)| step.text.as_str()).collect()
    }

    /// The texts of their statements.
    pub fn statements(&self) -> impl Iterator<Item = &'a str> {
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
    fn is_risky(&self) -> bool {
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
        self.shared(|step| step.wrapped)
    }

    /// Whether no database has run another one long before it: a line of code that runs once has a call for each, or they are
    /// files of one version.
    pub fn comes_with(&self, other: &Self) -> bool {
        // Numbers that differ are versions of their own, however they are run today.
        let line = |step: &Step| Some((step.line?, step.version));
        let is_on_line = self.shared(line).is_some_and(|own| other.shared(line) == Some(own));
        let file = self.shared(version_of_file);
        is_on_line || file.is_some_and(|own| other.shared(version_of_file) == Some(own))
    }

    /// The texts before which the code has SQLite ignore CHECKs, by their places among its own.
    pub fn unchecked(&self) -> BTreeSet<usize> {
        let steps = self.steps.iter().enumerate();
        steps.filter(|(_, (_, step))| step.is_unchecked).map(|(part, _)| part).collect()
    }

    /// What is told of all its steps, if it is the same.
    fn shared<T: PartialEq>(&self, of: impl Fn(&'a Step) -> Option<T>) -> Option<T> {
        let mut all = self.steps.iter().map(|(_, step)| of(step));
        let first = all.next()??;
        all.all(|other| other.as_ref() == Some(&first)).then_some(first)
    }

    /// Whether the program keeps count of it: it has a number, or its place in a list is one.
    pub fn is_counted(&self) -> bool {
        let has_number = |step: &Step| step.version.is_some_and(|version| version > 0) || step.list.is_some();
        self.steps.iter().all(|(_, step)| has_number(step) && step.unless.is_empty())
    }

    /// The tables that it can reach, in lower case.
    pub fn reach(&self, ties: &Ties<'_>) -> BTreeSet<String> {
        ties.reach(self.statements())
    }

    /// Those without which it, or what undoes it, would not do what it does.
    pub fn needs(&self, ties: &Ties<'_>) -> BTreeSet<String> {
        let downs = self.steps.iter().filter_map(|(_, step)| step.down.as_ref()).map(Text::as_str);
        ties.needs(self.statements().chain(downs))
    }

    /// Whether an end can leave what is in its own way: it makes something, and no transaction holds that together with the
    /// rest, or with the record of its version.
    fn is_left_half_made(&self) -> bool {
        let makes = |sql: &&str| {
            matches!(
                Kind::of(sql),
                Kind::CreateTable | Kind::CreateIndex | Kind::CreateView | Kind::CreateTrigger
            )
        };
        // What several calls hand over stands in one text, and is run by each for itself.
        let is_one = !self.steps.iter().any(|(_, step)| step.text.is_handed());
        let made = self.statements().filter(makes).take(2).count();
        is_one && self.wrapped() == Some(false) && (made > 1 || made == 1 && self.is_counted())
    }

    /// Whether it is run, with all of it known: rows can matter to it, or where it ends.
    pub fn is_tried(&self) -> bool {
        let is_create = self.steps.first().is_some_and(|(_, step)| step.runs == Runs::Create);
        !is_create && self.is_known() && (self.is_risky() || self.is_left_half_made())
    }
}

/// The folder of a file of SQL, and its version.
fn version_of_file(step: &Step) -> Option<(&str, u64)> {
    let version = step.version.filter(|version| *version > 0 && is_sql(&step.home))?;
    Some((folder_of(&step.home), version))
}

/// The units of a database, in the order in which they run on an old one.
pub(super) fn units(database: &Database) -> Vec<Unit<'_>> {
    // What makes a new database of the newest schema leaves its migrations nothing to do.
    units_of(&database.declaration.steps, &|step| !database.is_snapshot || step.runs == Runs::Migration)
}

/// The units of the steps that are run.
pub(super) fn units_of<'a>(steps: &'a [Step], runs: &dyn Fn(&Step) -> bool) -> Vec<Unit<'a>> {
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

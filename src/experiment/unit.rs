//! What of a migration runs together, and which tables it can reach. Knows words and the schema before it; runs nothing.

use crate::{
    migration::{Declaration, Runs, Step, mentions},
    schema::{Kind, Objects, TableKind, statements},
};
use std::collections::BTreeSet;

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

    /// The tables of the schema before it that it can reach, in lower case: those that it names, those that foreign keys
    /// tie to them, and those that their triggers name.
    pub fn reach(&self, before: &Objects) -> BTreeSet<String> {
        let is_own = |table: &&crate::schema::Table| {
            table.kind == TableKind::Ordinary && table.schema == "main" && !table.name.starts_with("sqlite_")
        };
        let all: BTreeSet<String> =
            before.tables.iter().filter(is_own).map(|table| table.name.to_lowercase()).collect();
        let mut reached = BTreeSet::new();
        for sql in self.statements() {
            reached.extend(names(sql).into_iter().filter(|name| all.contains(name)));
        }
        let is_there = |name: &String| all.contains(name);
        // Children go with their parents, and triggers with both.
        loop {
            let mut more = BTreeSet::new();
            for key in &before.foreign_keys {
                if reached.contains(&key.parent.to_lowercase()) {
                    more.insert(key.table.to_lowercase());
                }
            }
            for trigger in before.triggers.iter().filter(|one| reached.contains(&one.table.to_lowercase())) {
                more.extend(names(&trigger.sql));
            }
            let count = reached.len();
            reached.extend(more.into_iter().filter(is_there));
            if reached.len() == count {
                break;
            }
        }
        // Parents are there to be found.
        let tied = before.foreign_keys.iter().filter(|key| reached.contains(&key.table.to_lowercase()));
        let parents: Vec<String> = tied.map(|key| key.parent.to_lowercase()).filter(is_there).collect();
        reached.extend(parents);
        reached
    }
}

/// The tables without which others can't be written to: those, and all that their foreign keys lead to.
pub(super) fn with_ancestors(reach: &BTreeSet<String>, before: &Objects) -> BTreeSet<String> {
    let mut all = reach.clone();
    loop {
        let count = all.len();
        for key in &before.foreign_keys {
            if all.contains(&key.table.to_lowercase()) {
                all.insert(key.parent.to_lowercase());
            }
        }
        if all.len() == count {
            return all;
        }
    }
}

/// The units of a declaration, in the order in which they run on an old database.
pub(super) fn units(declaration: &Declaration, is_snapshot: bool) -> Vec<Unit<'_>> {
    let steps = &declaration.steps;
    // What makes a new database of the newest schema leaves its migrations nothing to do.
    let runs = |step: &Step| !is_snapshot || step.runs == Runs::Migration;
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

/// Whether a word stands in a text.
pub(super) fn has_word(sql: &str, word: &str) -> bool {
    let is_end = |one: char| !one.is_alphanumeric() && one != '_';
    sql.split(is_end).any(|one| one.eq_ignore_ascii_case(word))
}

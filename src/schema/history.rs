//! The statements of a schema's history, told from their first words: which of them surely run before which, and which
//! table takes the place of one that is dropped.
//!
//! Where the steps are a guess, so is their order. What is not certain is not said to be. Knows no object that is there.

use super::head::{Alteration, Head};
use super::variant::Outcome;
use super::{Kind, RefusalKind, same};
use crate::migration::{Declaration, Origin, Runs, Step, mentions};
use std::collections::HashMap;

/// The names that the tables have in the end on which statements work, where these are others.
pub fn last_names(declaration: &Declaration, outcomes: &[Outcome]) -> Vec<Option<String>> {
    let history = History::new(declaration, outcomes);
    let renames =
        history.heads().any(|(_, head)| matches!(head.alteration, Some(Alteration::RenameTable(_))));
    if !renames {
        return Vec::new();
    }
    let last = |at: usize| {
        let name = outcomes.get(at)?.applied.outcome.as_ref().ok()?.table.clone()?;
        Some(history.name_in_the_end(name.clone(), at)).filter(|last| !same(last, &name))
    };
    (0..outcomes.len()).map(last).collect()
}

/// All statements of a declaration as they went.
pub(super) struct History<'a> {
    declaration: &'a Declaration,
    outcomes: &'a [Outcome],
    heads: Vec<Head>,
    /// What has no version is what the versions begin with.
    begins_without_version: bool,
    /// For each statement whether what creates a database makes its object together with the table.
    is_made_with_table: Vec<bool>,
}

impl<'a> History<'a> {
    pub fn new(declaration: &'a Declaration, outcomes: &'a [Outcome]) -> Self {
        let heads = outcomes.iter().map(|outcome| Head::read(sql(outcome))).collect();
        let mut history = Self {
            declaration,
            outcomes,
            heads,
            begins_without_version: false,
            is_made_with_table: Vec::new(),
        };
        history.begins_without_version = history.adds_to_what_was_there();
        history.is_made_with_table = history.made_with_tables();
        history
    }

    /// What the first words of a statement say.
    pub fn head(&self, at: usize) -> Option<&Head> {
        self.heads.get(at)
    }

    /// The text of a statement.
    pub fn sql(&self, at: usize) -> &'a str {
        self.outcomes.get(at).map_or("", sql)
    }

    /// The statements, by their first words.
    pub fn heads(&self) -> impl Iterator<Item = (usize, &Head)> {
        self.heads.iter().enumerate()
    }

    /// Whether a statement changed the schema.
    pub fn worked(&self, at: usize) -> bool {
        let outcome = self.outcomes.get(at).and_then(|outcome| outcome.applied.outcome.as_ref().ok());
        outcome.is_some_and(|effect| effect.changed)
    }

    fn step(&self, at: usize) -> Option<&'a Step> {
        self.declaration.steps.get(self.outcomes.get(at)?.step)
    }

    /// Whether all of a statement's text is known, and it ran in its place.
    pub fn is_certain(&self, at: usize) -> bool {
        let is_early = self.outcomes.get(at).is_none_or(|outcome| outcome.was_early);
        !is_early && self.step(at).is_some_and(|step| step.text.holes().is_empty())
    }

    /// Whether two statements belong to one unit: a file, a list, a function.
    pub fn is_one(&self, one: usize, other: usize) -> bool {
        let (Some(a), Some(b)) = (self.outcomes.get(one), self.outcomes.get(other)) else { return false };
        if a.step == b.step {
            return true;
        }
        let (Some(first), Some(second)) = (self.step(one), self.step(other)) else { return false };
        let home = |outcome: &Outcome| outcome.text.site(0, 1).map(|site| site.source);
        let is_list = first.is_ordered && second.is_ordered;
        let is_together = if is_list { first.version == second.version } else { home(a) == home(b) };
        !first.name.is_empty() && first.name == second.name && is_together
    }

    /// Whether a statement surely runs before another one.
    pub fn is_before(&self, one: usize, other: usize) -> bool {
        let (Some(a), Some(b)) = (self.step(one), self.step(other)) else { return false };
        if one >= other || !self.is_certain(one) || !self.is_certain(other) {
            return false;
        }
        if a.runs == Runs::Open && b.runs != Runs::Open {
            // It runs after that as well.
            return false;
        }
        let is_listed = a.list.is_some() && a.list == b.list;
        if self.declaration.origin == Origin::Configured || is_listed || self.is_one(one, other) {
            return true;
        }
        match (a.rank(), b.rank()) {
            (Some(a), Some(b)) => a < b,
            // What may be repeated may run whenever a database is opened.
            (None, Some(_)) if self.begins_without_version => {
                self.head(one).is_some_and(|head| !head.lenient)
            }
            (None, _) => b.runs == Runs::Migration && self.is_made_with_table.get(one) == Some(&true),
            _ => false,
        }
    }

    /// For each statement whether what creates a database makes its object together with the table. A migration that makes the
    /// table anew finds it there, or works on databases that were never made so: in none is it there afterwards.
    fn made_with_tables(&self) -> Vec<bool> {
        let mut tables: HashMap<String, usize> = HashMap::new();
        let of = |(at, outcome): (usize, &Outcome)| {
            let table =
                outcome.applied.outcome.as_ref().ok()?.table.as_deref().filter(|_| self.is_creation(at))?;
            if self.makes(at, table) {
                tables.insert(table.to_lowercase(), at);
                return None;
            }
            tables.get(&table.to_lowercase()).filter(|&&made| self.is_one(made, at)).map(|_| ())
        };
        self.outcomes.iter().enumerate().map(of).map(|found| found.is_some()).collect()
    }

    fn is_creation(&self, at: usize) -> bool {
        self.step(at).is_some_and(|step| step.runs == Runs::Create && !step.is_on_old)
    }

    /// Whether the versions add to what is made without one, and nothing of what they add was there: then it is no
    /// shorter way to the newest schema.
    fn adds_to_what_was_there(&self) -> bool {
        let versioned: Vec<usize> = (0..self.outcomes.len())
            .filter(|&at| self.step(at).is_some_and(|step| step.rank().is_some()))
            .collect();
        let adds = |at: &usize| {
            self.head(*at).filter(|_| self.worked(*at)).is_some_and(|head| match head.kind {
                Kind::CreateTable => self.stays(head),
                _ => matches!(head.alteration, Some(Alteration::AddColumn(_))),
            })
        };
        let was_there = |at: &usize| {
            let creates = self.head(*at).is_some_and(|head| {
                matches!(
                    head.kind,
                    Kind::CreateTable | Kind::CreateIndex | Kind::CreateView | Kind::CreateTrigger
                )
            });
            let applied = self.outcomes.get(*at).map(|outcome| &outcome.applied);
            applied.is_some_and(|applied| match &applied.outcome {
                Ok(effect) => creates && !effect.changed,
                Err(_) => applied.was_there_already(),
            })
        };
        versioned.iter().any(adds) && !versioned.iter().any(was_there)
    }

    /// Whether a table is made once, and keeps its name.
    fn stays(&self, made: &Head) -> bool {
        let is_other = |head: &Head| {
            let goes = matches!(head.kind, Kind::CreateTable | Kind::DropTable)
                || matches!(head.alteration, Some(Alteration::RenameTable(_)));
            goes && head.object.is_some() && head.object == made.object
        };
        self.heads.iter().filter(|head| is_other(head)).count() == 1
    }

    /// What a table or view that a statement drops is made anew as, by the name that this has in the end: in the unit of
    /// the DROP something of its name is made, or its name was an older one's, whose place is taken. `None` where nothing
    /// takes its place, or what does is not certain.
    pub fn successor(&self, drop: usize, name: &str) -> Option<String> {
        let mut names = vec![(name.to_owned(), drop)];
        for at in (0..drop).rev().filter(|&at| self.is_one(at, drop) && self.worked(at)) {
            let Some(head) = self.head(at) else { continue };
            if let (Some(Alteration::RenameTable(to)), Some(from)) = (&head.alteration, &head.object)
                && names.last().is_some_and(|(last, _)| same(last, to))
            {
                names.push((from.clone(), at));
            }
        }
        let unit = || (0..self.outcomes.len()).filter(|&at| self.is_one(at, drop));
        let made = names.iter().find_map(|(name, from)| {
            let at = unit().filter(|at| at > from).find(|&at| self.makes(at, name))?;
            Some((name.clone(), at))
        });
        let (name, made) = made?;
        // Where a part of it did not work, what it leads to is not known.
        let is_about = |at: &usize| {
            let about = mentions(self.sql(*at));
            about.created.iter().chain(&about.used).any(|one| names.iter().any(|(other, _)| same(one, other)))
        };
        if unit().any(|at| self.is_broken(at) && is_about(&at)) {
            return None;
        }
        Some(self.name_in_the_end(name, made))
    }

    /// Whether a statement that changes the schema was refused.
    fn is_broken(&self, at: usize) -> bool {
        let copies = |head: &Head| {
            matches!(head.kind, Kind::Insert | Kind::Replace | Kind::Update | Kind::Delete | Kind::Select)
        };
        let applied = self.outcomes.get(at).map(|outcome| &outcome.applied);
        let applied = applied.filter(|applied| !applied.was_there_already());
        let outcome = applied.map(|applied| &applied.outcome);
        let is_refused =
            matches!(outcome, Some(Err(refusal)) if !matches!(refusal.kind, RefusalKind::Limit(_)));
        is_refused && !self.head(at).is_some_and(copies)
    }

    /// Whether a statement makes a table or view of this name, by CREATE or by RENAME.
    fn makes(&self, at: usize, name: &str) -> bool {
        let Some(head) = self.head(at).filter(|_| self.worked(at) && self.is_certain(at)) else {
            return false;
        };
        match (&head.alteration, head.kind) {
            (Some(Alteration::RenameTable(to)), _) => same(to, name),
            (_, Kind::CreateTable | Kind::CreateView) => {
                !head.temporary && head.object.as_deref().is_some_and(|object| same(object, name))
            }
            _ => false,
        }
    }

    /// The name to which a table comes that has this one after a statement.
    fn name_in_the_end(&self, name: String, from: usize) -> String {
        let mut name = name;
        for (at, head) in self.heads().skip(from + 1) {
            let Some(Alteration::RenameTable(to)) = &head.alteration else { continue };
            let is_it = head.object.as_deref().is_some_and(|object| same(object, &name)) && self.worked(at);
            // Another rebuild: the old one is put aside, and the name goes to a new one.
            let is_aside =
                || (at + 1..self.outcomes.len()).any(|next| self.is_one(at, next) && self.makes(next, &name));
            if is_it && !is_aside() {
                name.clone_from(to);
            }
        }
        name
    }
}

fn sql(outcome: &Outcome) -> &str {
    outcome.text.as_str().get(outcome.applied.start..outcome.applied.end).unwrap_or("")
}

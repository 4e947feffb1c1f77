//! What is known of a program, as entries. Statements of one text on one schema are one entry: their plan is one, too.

use super::{Became, Entry, Growth, Home, Key};
use crate::{
    extract::{Extraction, Role, sql},
    growth,
    schema::{Explained, Refusal, RefusalKind},
    source::Sources,
    workload::{Database, Other, Outcome, Statement},
};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a program.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The sources.
    pub sources: &'a Sources,
    /// What was extracted from them.
    pub extraction: &'a Extraction,
    /// The databases.
    pub databases: &'a [Database],
    /// The statements.
    pub statements: &'a [Statement],
    /// How their costs grow; `None` where nothing was measured.
    pub growths: Option<&'a [growth::Growth]>,
    /// The schemas in the field that differ, and how costs grow there.
    pub others: (&'a [Other], &'a [Vec<growth::Growth>]),
}

/// An entry, and the statements that it is of, by their places among all.
#[derive(Debug, Clone)]
pub struct Found {
    /// The entry.
    pub entry: Entry,
    /// The statements.
    pub statements: Vec<usize>,
}

/// The entries of a program, sorted. Migrations run once, on schemas that do not last, and are left out; so are databases of
/// releases: whether these are known depends on the clone.
pub fn gather(ground: &Ground<'_>) -> Vec<Found> {
    let mut found: BTreeMap<Key, Found> = BTreeMap::new();
    let mut add = |one: Found| match found.get_mut(&one.entry.key) {
        Some(known) => known.join(one),
        None => {
            found.insert(one.entry.key.clone(), one);
        }
    };
    let growths = ground.growths.map(by_statement);
    for (index, statement) in ground.statements.iter().enumerate() {
        if statement.step.is_some() || ground.role(statement) == Some(Role::Migration) {
            continue;
        }
        let became = match &statement.outcome {
            Outcome::Planned { database, explained } => {
                ground.planned(*database, explained, (index, growths.as_ref()))
            }
            Outcome::Refused { refusal, .. } => Became::Refused(words(refusal)),
            _ => continue,
        };
        add(ground.found(index, statement, became, None, statement.explained()));
    }
    let (others, other_growths) = ground.others;
    for (number, other) in others.iter().enumerate().filter(|(_, other)| other.releases.is_empty()) {
        let growths = ground.growths.and(other_growths.get(number)).map(|own| by_statement(own));
        for (index, then) in &other.statements {
            let Some(statement) = ground.statements.get(*index) else { continue };
            if ground.role(statement) == Some(Role::Migration) {
                continue;
            }
            let became = match then {
                Ok(explained) => ground.planned(other.database, explained, (*index, growths.as_ref())),
                Err(refusal) => Became::Refused(words(refusal)),
            };
            add(ground.found(*index, statement, became, Some(other.kind()), then.as_ref().ok()));
        }
    }
    found.into_values().collect()
}

type Growths<'a> = BTreeMap<usize, &'a growth::Growth>;

fn by_statement(growths: &[growth::Growth]) -> Growths<'_> {
    growths.iter().map(|one| (one.statement, one)).collect()
}

impl Found {
    /// Takes in what is known of the same text elsewhere.
    fn join(&mut self, other: Self) {
        self.statements.extend(other.statements);
        self.entry.homes.extend(other.entry.homes);
        self.entry.homes.sort();
        self.entry.homes.dedup();
        self.entry.tables.extend(other.entry.tables);
        self.entry.tables.sort();
        self.entry.tables.dedup();
        // It is measured with what binds it, which can differ: the worst is told, whichever file comes first.
        if other.entry.became.weight() > self.entry.became.weight() {
            self.entry.became = other.entry.became;
        }
    }
}

impl Became {
    /// How bad it is, and then something that tells any two apart.
    fn weight(&self) -> (Option<(growth::Class, bool)>, &[String], &str) {
        match self {
            Self::Planned { growth, plan } => (growth.and_then(Growth::rank), plan, ""),
            Self::Refused(words) => (None, &[], words),
        }
    }
}

impl Growth {
    /// How bad it is; what is not known tells nothing.
    pub(super) fn rank(self) -> Option<(growth::Class, bool)> {
        match self {
            Self::Unknown => None,
            Self::Known { class, wasted } => Some((class, wasted)),
        }
    }
}

impl Ground<'_> {
    fn role(&self, statement: &Statement) -> Option<Role> {
        self.extraction.literals.get(statement.literal).map(|literal| literal.role)
    }

    fn planned(
        &self,
        database: usize,
        explained: &Explained,
        (statement, growths): (usize, Option<&Growths<'_>>),
    ) -> Became {
        let objects = self.databases.get(database).map(|database| &database.variant.objects);
        let plain = |index: &str| objects.is_none_or(|objects| objects.is_plain(index));
        let growth = growths.map(|growths| growths.get(&statement).map_or(Growth::Unknown, |one| of(one)));
        Became::Planned { growth, plan: explained.plan.normal(&plain) }
    }

    fn found(
        &self,
        index: usize,
        statement: &Statement,
        became: Became,
        schema: Option<&str>,
        explained: Option<&Explained>,
    ) -> Found {
        let database = statement.database().and_then(|database| self.databases.get(database));
        let literal = self.extraction.literals.get(statement.literal);
        let function = literal.and_then(|literal| self.extraction.functions.get(literal.function? as usize));
        let home = Home {
            path: one_line(self.sources.path(statement.site.source)),
            function: function.map(|function| one_line(&function.name)),
        };
        let key = Key {
            database: database.map_or_else(|| "-".to_owned(), |one| one_line(&one.declaration.name)),
            statement: sql::spaced(statement.text.as_str()),
            schema: schema.map(str::to_owned),
        };
        let tables = explained.map_or_else(Vec::new, tables);
        Found { entry: Entry { key, homes: vec![home], tables, became }, statements: vec![index] }
    }
}

fn of(growth: &growth::Growth) -> Growth {
    let wasted = growth.is_wasteful();
    let class = if wasted {
        growth.trials.iter().filter(|trial| trial.is_wasteful()).map(|trial| trial.class).max()
    } else {
        growth.trials.first().map(|trial| trial.class)
    };
    match class {
        Some(class) => Growth::Known { class, wasted: wasted && class != growth::Class::Constant },
        None if growth.unmeasured.is_some() => Growth::Unknown,
        None => Growth::Known { class: growth::Class::Constant, wasted: false },
    }
}

fn tables(explained: &Explained) -> Vec<String> {
    let named = |schema: &str, table: &str| match schema {
        "main" | "" => one_line(table),
        other => one_line(&format!("{other}.{table}")),
    };
    let read = explained.reads.iter().map(|one| named(&one.schema, &one.table));
    let written = explained.writes.iter().map(|one| named(&one.schema, &one.table));
    read.chain(written).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A refusal in words that versions share, as far as it is known what it is about.
fn words(refusal: &Refusal) -> String {
    let known = match &refusal.kind {
        RefusalKind::NoSuchTable(name) => Some(("no such table", name)),
        RefusalKind::NoSuchColumn(name) => Some(("no such column", name)),
        RefusalKind::NoSuchFunction(name) => Some(("no such function", name)),
        RefusalKind::NoSuchCollation(name) => Some(("no such collation", name)),
        RefusalKind::NoSuchModule(name) => Some(("no such module", name)),
        RefusalKind::NoSuchIndex(name) => Some(("no such index", name)),
        _ => None,
    };
    one_line(&known.map_or_else(|| refusal.message.clone(), |(what, name)| format!("{what}: {name}")))
}

fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|one| if one.is_control() { ' ' } else { one }).collect();
    text.trim().to_owned()
}

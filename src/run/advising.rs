//! What indexes are worth it, for a whole program; and the migration that makes them, where that is a file.

use super::{CheckRequest, Outcome, RunError, check};
use crate::{
    config::Severity,
    extract::Role,
    report::{
        Diagnostic, Place, State,
        advice::{self, Advice, Harmful, Healed, Index},
        diagnose,
    },
    schema::Live,
    source::Site,
    trial::{self, Advised, Effect, Verdict},
    workload::{Database, Statement},
};
use std::collections::{BTreeMap, BTreeSet};

mod diff;
mod patch;
mod pricing;
mod written;

pub(super) use diff::Insertion;
use pricing::Pricer;
pub(super) use written::{Made, made};

/// What is done beside finding the indexes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Manner {
    /// Those of each database become its next migration.
    pub writes: bool,
    /// The price of each is measured.
    pub measures: bool,
}

/// Finds the indexes for all databases of a tree.
///
/// # Errors
/// As [`check`], and where a migration can't be written.
pub fn advise(request: &CheckRequest<'_>, manner: Manner) -> Result<advice::Advised, RunError> {
    let mut outcome = check(request)?;
    request.say("trying indexes together");
    let wanted: BTreeSet<usize> = found(&outcome).into_keys().collect();
    let analysis = &mut outcome.analysis;
    let role = |one: &Statement| analysis.extraction.literals.get(one.literal).map(|literal| literal.role);
    let counts = |one: &Statement| !matches!(role(one), Some(Role::Test | Role::Migration));
    let all = trial::advise(
        &mut analysis.databases,
        &analysis.statements,
        &analysis.sizes,
        &analysis.measured,
        &analysis.obstacles,
        &counts,
        &|statement| wanted.contains(&statement),
    );
    let copy = |(database, advised): (&mut Database, &Advised)| {
        let is_priced = !advised.indexes.is_empty();
        is_priced.then(|| database.variant.live.copy().ok()).flatten()
    };
    let copies: Vec<Option<Live>> = analysis.databases.iter_mut().zip(&all).map(copy).collect();
    if manner.measures {
        request.say("putting rows in");
    }
    let mut told = Vec::new();
    for (index, ((database, advised), copy)) in
        outcome.analysis.databases.iter().zip(&all).zip(copies).enumerate()
    {
        let mut pricer = copy.map(|live| Pricer::new(&outcome, index, live, manner.measures));
        let mut told_of = advice(&outcome, database, advised, &mut pricer);
        if manner.writes && !told_of.indexes.is_empty() {
            let written = written::migration(&outcome, &request.root, index, &told_of.indexes)?;
            (told_of.written, told_of.patch) = (Some(written.line), written.patch);
        } else if !told_of.indexes.is_empty() {
            told_of.next = written::ahead(&outcome, &request.root, index, &told_of.indexes);
        }
        told.push(told_of);
    }
    let root = request.root.display().to_string();
    Ok(advice::Advised { root, sqlite: outcome.report.sqlite.clone(), databases: told })
}

/// What is found of each statement that is more than a note, and not accepted. What is found of an object of the schema, such
/// as a foreign key, is found of the statements that it names.
pub(super) fn found(outcome: &Outcome) -> BTreeMap<usize, Vec<&Diagnostic>> {
    let mut found: BTreeMap<usize, Vec<&Diagnostic>> = BTreeMap::new();
    for (one, statements) in said(outcome, &|one| one.severity > Severity::Note) {
        for statement in statements {
            found.entry(statement).or_default().push(one);
        }
    }
    found
}

/// The same of a database, by its name, and of no statement; notes about its indexes, too.
pub(super) fn found_elsewhere<'a>(outcome: &'a Outcome, database: &str) -> Vec<&'a Diagnostic> {
    let is_index = |one: &Diagnostic| one.object.as_ref().is_some_and(|object| object.kind == "index");
    let is_own = |one: &Diagnostic| {
        one.database.as_deref() == Some(database) && (one.severity > Severity::Note || is_index(one))
    };
    let own = said(outcome, &is_own).into_iter().filter(|(_, statements)| statements.is_empty());
    own.map(|(one, _)| one).collect()
}

/// What counts and is wanted, each with the statements that it is found of.
fn said<'a>(
    outcome: &'a Outcome,
    is_wanted: &dyn Fn(&Diagnostic) -> bool,
) -> Vec<(&'a Diagnostic, Vec<usize>)> {
    let statements = outcome.analysis.statements.iter();
    let places: Vec<Option<Place>> =
        statements.map(|one| diagnose::place(&outcome.sources, one.site)).collect();
    let at = |wanted: &Place| -> Vec<usize> {
        let own = places.iter().enumerate();
        let holds = own.filter(|(_, own)| own.as_ref().is_some_and(|own| own.holds(wanted)));
        holds.map(|(at, _)| at).collect()
    };
    let of = |one: &Diagnostic| -> Vec<usize> {
        let own = one.place.as_ref().map_or_else(Vec::new, at);
        if own.is_empty() { one.related.iter().flat_map(|one| at(&one.place)).collect() } else { own }
    };
    let counts = |one: &&Diagnostic| one.state != State::Suppressed && is_wanted(one);
    outcome.report.diagnostics.iter().filter(counts).map(|one| (one, of(one))).collect()
}

fn advice(
    outcome: &Outcome,
    database: &Database,
    advised: &Advised,
    pricer: &mut Option<Pricer<'_>>,
) -> Advice {
    let place = |statement: usize| place(outcome, statement);
    let places = |effects: &[Effect], verdict| {
        let own = effects.iter().filter(|effect| effect.verdict == verdict);
        own.map(|effect| place(effect.statement)).collect()
    };
    let trees = |table: &str| 1 + database.variant.objects.indexes_of("main", table).count();
    let indexes = advised.indexes.iter().map(|one| {
        let made = one.sql.matches("CREATE INDEX").count();
        let before = trees(&one.table);
        Index {
            sql: one.sql.clone(),
            replaced: one.replaced.iter().map(|(drop, _)| drop.clone()).collect(),
            restored: one.replaced.iter().map(|(_, create)| create.clone()).collect(),
            heals: one.heals.iter().map(|effect| healed(place(effect.statement), effect)).collect(),
            serves: one.serves.iter().map(|effect| place(effect.statement)).collect(),
            price: pricer.as_mut().and_then(|pricer| pricer.price(one)),
            trees: (one.table.clone(), before, (before + made).saturating_sub(one.replaced.len())),
        }
    });
    let healed = advised.indexes.iter().flat_map(|one| &one.heals).map(|effect| effect.statement);
    let costly: BTreeSet<usize> = healed.chain(advised.left.iter().copied()).collect();
    Advice {
        database: database.declaration.name.clone(),
        costly: costly.len(),
        is_measured: !outcome.analysis.measured.is_off,
        indexes: indexes.collect(),
        harmful: advised
            .harmful
            .iter()
            .map(|(sql, effects)| Harmful {
                sql: sql.clone(),
                heals: places(effects, Verdict::Better),
                slows: places(effects, Verdict::Worse),
            })
            .collect(),
        left: {
            let mut left: Vec<String> = advised.left.iter().map(|&statement| place(statement)).collect();
            left.dedup();
            left
        },
        next: None,
        written: None,
        patch: None,
    }
}

fn healed(place: String, effect: &Effect) -> Healed {
    Healed {
        place,
        growth: (effect.before.as_str(), effect.after.as_str()),
        gone: effect.gone.clone(),
        come: effect.come.clone(),
    }
}

/// Where a statement stands, as `path:line`.
pub(super) fn place(outcome: &Outcome, statement: usize) -> String {
    let site = outcome.analysis.statements.get(statement).map(|one| one.site);
    site.map_or_else(String::new, |site| place_of(outcome, site))
}

/// A place, as `path:line`.
fn place_of(outcome: &Outcome, site: Site) -> String {
    let place = diagnose::place(&outcome.sources, site);
    place.map_or_else(String::new, |place| format!("{}:{}", place.path, place.start.line))
}

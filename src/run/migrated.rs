//! The steps of migrations at a place, and what they do to rows. Joins what the modules below give.

use super::{
    Outcome,
    explanation::found_within,
    place::{PlaceError, Spot, no_script},
};
use crate::{
    experiment::{
        Experiment, On, Rows,
        show::{self, Shown},
    },
    report::{
        diagnose,
        explain::{self, Explanation},
    },
    schema::variant,
    source::{Site, SourceId},
};

/// A statement of a schema's history: its database, and its place among what became of all of them.
type Step = (usize, usize);

/// What is known of the steps at a place, or the script of the first that has one; `None` where there is no step.
pub(super) fn explain(
    outcome: &Outcome,
    source: SourceId,
    spot: &Spot,
    script: bool,
) -> Option<Result<String, PlaceError>> {
    let covers = |site: Site| outcome.covers(source, spot, site);
    let found = steps(outcome, covers);
    if script && !found.is_empty() {
        let shown = found.iter().find_map(|(_, step)| shown(outcome, *step));
        return Some(shown.map(|shown| explain::rows::script(&shown)).ok_or_else(|| no_script(spot)));
    }
    let all: Vec<Explanation> = found.iter().map(|(site, step)| explanation(outcome, *site, *step)).collect();
    (!all.is_empty()).then(|| Ok(explain::render(&all)))
}

/// What the migration that a statement belongs to does to rows; `None` where it belongs to none, or rows don't matter to it.
pub(super) fn of_statement(outcome: &Outcome, statement: usize) -> Option<Shown> {
    let own = outcome.analysis.statements.get(statement)?.site;
    let is_it = |site: Site| site.source == own.source && site.start == own.start;
    steps(outcome, is_it).into_iter().find_map(|(_, step)| shown(outcome, step))
}

/// The steps whose site is wanted, each place once.
fn steps(outcome: &Outcome, wanted: impl Fn(Site) -> bool) -> Vec<(Site, Step)> {
    let mut found: Vec<(Site, Step)> = Vec::new();
    for (index, database) in outcome.analysis.databases.iter().enumerate() {
        for (at, one) in database.variant.outcomes.iter().enumerate() {
            if let Some(site) = site(one).filter(|site| wanted(*site))
                && !found.iter().any(|(other, _)| *other == site)
            {
                found.push((site, (index, at)));
            }
        }
    }
    found
}

fn site(one: &variant::Outcome) -> Option<Site> {
    one.text.site(one.applied.start as u32, one.applied.end as u32)
}

/// The rows before and behind the migration of a step, of the kind on which something was found.
fn shown(outcome: &Outcome, (index, at): Step) -> Option<Shown> {
    let database = outcome.analysis.databases.get(index)?;
    let outcomes = &database.variant.outcomes;
    let step = outcomes.get(at)?.step;
    let is_of_step = |one: &&Experiment| {
        one.database == index && outcomes.get(one.outcome).is_some_and(|other| other.step == step)
    };
    let odd = outcome.analysis.experiments.all.iter().filter(is_of_step).find_map(|one| match one.on {
        On::Seeded(rows) if rows != Rows::Plain => Some(rows),
        _ => None,
    });
    let rows: Vec<Rows> = odd.into_iter().collect();
    show::show(database, at, &rows).ok().flatten()
}

fn explanation(outcome: &Outcome, site: Site, step: Step) -> Explanation {
    let (index, at) = step;
    let mut about = Vec::new();
    let database = outcome.analysis.databases.get(index);
    let one = database.and_then(|database| database.variant.outcomes.get(at));
    let declared = database.zip(one).and_then(|(database, one)| database.declaration.steps.get(one.step));
    if let (Some(database), Some(declared)) = (database, declared) {
        about.push(("migration", declared.name.clone()));
        about.push(("database", database.declaration.name.clone()));
        let runs = match declared.wrapped {
            Some(true) => "within a transaction of its runner",
            Some(false) => "without a transaction around it",
            None => "nothing says whether a transaction is around it",
        };
        about.push(("run", runs.to_owned()));
    }
    let findings = found_within(outcome, site);
    let shown = shown(outcome, step);
    let sql = one.and_then(|one| one.text.as_str().get(one.applied.start..one.applied.end));
    Explanation {
        place: diagnose::place(&outcome.sources, site).map_or_else(String::new, |place| place.short()),
        about,
        sql: sql.unwrap_or("").to_owned(),
        rows: shown.as_ref().map(explain::rows::lines).unwrap_or_default(),
        quiet: if findings.is_empty() { vec!["None at this statement.".to_owned()] } else { Vec::new() },
        findings,
        script: shown.as_ref().map(explain::rows::script),
        ..Explanation::default()
    }
}

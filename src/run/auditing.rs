//! The audit of a database file, by itself or beside the program that uses it.

use super::{CheckRequest, Outcome, RunError, advising, check};
use crate::{
    audit::{self, Against, Audited, InMemory, Program},
    config::Severity,
    extract::Role,
    price::{Keys, Known},
    report::{State, audit::Report, diagnose},
    schema::{Settings, sqlite_version},
    suppression,
};
use std::path::Path;

/// Looks at a database file, of each B-tree of which about so many pages are read at most; and holds it against a program.
///
/// # Errors
/// The file can't be audited, or, as [`check`], the program can't be judged.
pub fn audit(file: &Path, pages: u64, program: Option<&CheckRequest<'_>>) -> Result<Report, RunError> {
    let path = file.display().to_string();
    let at_file = |source| RunError::File { path: path.clone(), source };
    if let Some(request) = program {
        request.say("looking at the file");
    }
    let audited = audit::audit(file, pages).map_err(at_file)?;
    let InMemory { objects, refused, .. } = audited.in_memory(&Settings::default())?;
    let like = (audited.summary(&suppression::today()), objects);
    let with = |request: &CheckRequest<'_>| check(&CheckRequest { audited: Some(&like), ..request.clone() });
    let outcome = program.map(with).transpose()?;
    let (_, objects) = &like;
    let against = outcome.as_ref().map(|outcome| against(outcome, &audited)).transpose()?.unwrap_or_default();
    let known = outcome.as_ref().map(known);
    let home = against.first().map(|first| first.at);
    let keys = match (&known, home) {
        (Some(known), Some(home)) => Keys::new(known, home, objects),
        _ => Keys::default(),
    };
    let costs = audit::costs(&audited, objects, &keys);
    Ok(Report {
        path,
        sqlite: sqlite_version().to_owned(),
        audited,
        costs,
        refused,
        root: program.map(|request| request.root.display().to_string()),
        against,
    })
}

/// What `planlint stats` writes of a database file: sizes and statistics, and no value of a row.
///
/// # Errors
/// The file can't be audited.
pub fn stats(file: &Path, pages: u64) -> Result<String, RunError> {
    let at_file = |source| RunError::File { path: file.display().to_string(), source };
    Ok(audit::audit(file, pages).map_err(at_file)?.summary(&suppression::today()).render())
}

fn known(outcome: &Outcome) -> Known<'_> {
    let analysis = &outcome.analysis;
    Known {
        statements: &analysis.statements,
        columns: &analysis.pricing.columns,
        measured: &analysis.measured,
        has_timed: analysis.pricing.has_timed,
    }
}

fn against(outcome: &Outcome, audited: &Audited) -> Result<Vec<Against>, RunError> {
    let analysis = &outcome.analysis;
    let role = |statement: usize| {
        let one = analysis.statements.get(statement)?;
        analysis.extraction.literals.get(one.literal).map(|literal| literal.role)
    };
    let program = Program {
        databases: &analysis.databases,
        statements: &analysis.statements,
        others: &analysis.others,
        releases: &analysis.releases,
        known: known(outcome),
        counts: &|statement| !matches!(role(statement), Some(Role::Test | Role::Migration)),
        rules: &|statement| rules(outcome, statement),
        place: &|statement| advising::place(outcome, statement),
    };
    Ok(audit::against(audited, &program)?)
}

/// The rules that find something at a statement that is more than a note, and not accepted.
fn rules(outcome: &Outcome, statement: usize) -> Vec<String> {
    let site = outcome.analysis.statements.get(statement).map(|one| one.site);
    let Some(own) = site.and_then(|site| diagnose::place(&outcome.sources, site)) else { return Vec::new() };
    let said = outcome.report.diagnostics.iter().filter(|one| {
        let is_said = one.severity > Severity::Note && one.state != State::Suppressed;
        is_said && one.place.as_ref().is_some_and(|place| own.holds(place))
    });
    let mut rules: Vec<String> = said.map(|one| one.rule.clone()).collect();
    rules.sort();
    rules.dedup();
    rules
}

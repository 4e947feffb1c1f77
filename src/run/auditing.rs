//! The audit of a database file, by itself or beside the program that uses it.

use super::{CheckRequest, Outcome, RunError, advising, check};
use crate::{
    audit::{self, Against, Audited, Budget, Cured, Found, InMemory, Program},
    config::{self, AuditConfig},
    extract::Role,
    growth::Class,
    price::{Keys, Known},
    report::{Cure, Diagnostic, audit::Report},
    schema::{Settings, sqlite_version},
    suppression,
};
use std::path::Path;

/// How a file is looked at.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// Of each B-tree, about so many pages are read at most.
    pub pages: u64,
    /// The configuration, where there is no program to have one.
    pub config: Option<&'a Path>,
    /// Who is told what the run is at.
    pub tell: Option<&'a (dyn Fn(&str) + Sync)>,
}

/// Looks at a database file, and holds it against a program.
///
/// # Errors
/// The file can't be audited, or, as [`check`], the program can't be judged.
pub fn audit(file: &Path, asked: Look<'_>, program: Option<&CheckRequest<'_>>) -> Result<Report, RunError> {
    let path = file.display().to_string();
    let at_file = |source| RunError::File { path: path.clone(), source };
    let tell = |phase: &str| {
        if let Some(tell) = asked.tell {
            tell(phase);
        }
    };
    let audited = audit::audit_telling(file, asked.pages, &tell).map_err(at_file)?;
    let budget = budget(program.map_or(asked.config, |program| program.config.as_deref()))?;
    let InMemory { objects, refused, .. } = audited.in_memory(&Settings::default())?;
    let like = (audited.summary(&suppression::today()), objects);
    let with = |request: &CheckRequest<'_>| check(&CheckRequest { audited: Some(&like), ..request.clone() });
    let outcome = program.map(with).transpose()?;
    let (_, objects) = &like;
    let against =
        outcome.as_ref().map(|outcome| against(outcome, &audited, budget)).transpose()?.unwrap_or_default();
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
        budget,
    })
}

/// How long a call may take, as it is configured.
fn budget(config: Option<&Path>) -> Result<Budget, RunError> {
    let said = match config {
        Some(path) => config::load(path, &path.display().to_string())?.audit,
        None => AuditConfig::default(),
    };
    let ms = |micros: u64| micros as f64 / 1000.0;
    Ok(Budget { ms: said.budget_us.map(ms), page_ms: ms(said.page_us) })
}

/// What `planlint stats` writes of a database file: sizes and statistics, and no value of a row. Somebody is told what it is at.
///
/// # Errors
/// The file can't be audited.
pub fn stats(file: &Path, pages: u64, tell: &dyn Fn(&str)) -> Result<String, RunError> {
    let at_file = |source| RunError::File { path: file.display().to_string(), source };
    Ok(audit::audit_telling(file, pages, tell).map_err(at_file)?.summary(&suppression::today()).render())
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

fn against(outcome: &Outcome, audited: &Audited, budget: Budget) -> Result<Vec<Against>, RunError> {
    let analysis = &outcome.analysis;
    let role = |statement: usize| {
        let one = analysis.statements.get(statement)?;
        analysis.extraction.literals.get(one.literal).map(|literal| literal.role)
    };
    let found = advising::found(outcome);
    let others_found = |database: &str| {
        let own = advising::found_elsewhere(outcome, database).into_iter();
        let of = |one: &Diagnostic| Found {
            place: one.place.as_ref().map(|place| format!("{}:{}", place.path, place.start.line)),
            rule: one.rule.clone(),
            message: one.message.clone(),
        };
        own.map(of).collect()
    };
    let said = |statement: usize| found.get(&statement).map_or(&[] as &[_], Vec::as_slice);
    let program = Program {
        databases: &analysis.databases,
        statements: &analysis.statements,
        others: &analysis.others,
        releases: &analysis.releases,
        known: known(outcome),
        counts: &|statement| !matches!(role(statement), Some(Role::Test | Role::Migration)),
        rules: &|statement| rules(said(statement)),
        cures: &|statement| cures(said(statement)),
        others_found: &others_found,
        place: &|statement| advising::place(outcome, statement),
        budget,
    };
    Ok(audit::against(audited, &program)?)
}

/// The rules that find something of a statement.
fn rules(said: &[&Diagnostic]) -> Vec<String> {
    let mut rules: Vec<String> = said.iter().map(|one| one.rule.clone()).collect();
    rules.sort();
    rules.dedup();
    rules
}

/// What was proved to help it.
fn cures(said: &[&Diagnostic]) -> Vec<Cured> {
    let walks = |cure: &Cure| cure.plan.iter().any(|step| step.trim_start().starts_with("SCAN "));
    // A cure has the plan of one statement: what is found of an index may be found of several.
    let is_index = |one: &Diagnostic| one.object.as_ref().is_some_and(|object| object.kind == "index");
    let own = said.iter().filter(|one| !is_index(one) || one.related.len() == 1);
    let mut cures: Vec<Cured> = Vec::new();
    for cure in own.flat_map(|one| &one.cures).filter(|cure| cure.proved) {
        let is_constant = match &cure.class {
            Some(class) => class == Class::Constant.as_str() && cure.rises.is_none(),
            // It was not measured.
            None => !walks(cure),
        };
        let one = Cured {
            kind: cure.kind.clone(),
            sql: cure.sql.clone(),
            plan: cure.plan.clone(),
            is_constant,
            pages: None,
        };
        if !cures.contains(&one) {
            cures.push(one);
        }
    }
    cures
}

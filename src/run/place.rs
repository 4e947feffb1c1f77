//! The statements at a place: which they are, and all that a run knows of them, with more measurements than a check
//! makes. Joins what the modules below give; words that are not theirs are of `report::explain`.

use super::{Analysis, CheckRequest, Outcome, RunError, explanation, migrated};
use crate::{
    growth::{self, Asked, Growth, Series},
    report::{Failure, Place, explain},
    source::{Site, SourceId},
    workload::Outcome as Became,
};
use std::collections::BTreeMap;

/// A place of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// From the root of the tree.
    pub path: String,
    /// From 1; `None` for the whole file.
    pub line: Option<u32>,
    /// From 1, in UTF-16 units; `None` for the whole line.
    pub column: Option<u32>,
}

/// What is asked of the statements at a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only the script of the first.
    pub script: bool,
    /// The rows of each growing table in the script, if not those of the largest measurement.
    pub rows: Option<u64>,
}

/// Why nothing can be said of a place.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// A file is none of those that are read.
    #[error("{path} is not among the files that are read: {reason}")]
    NotRead {
        /// The file.
        path: String,
        /// Why it is not.
        reason: String,
    },
    /// A place holds no statement.
    #[error("{path}:{line} holds no statement")]
    NoStatement {
        /// The file.
        path: String,
        /// The line that was asked for.
        line: u32,
        /// The nearest statements of the file, with their lines.
        near: Vec<(u32, String)>,
    },
    /// A statement was not planned, so that no script can run it.
    #[error("SQLite did not plan the statement at {path}:{line}, so there is no script for it")]
    NoScript {
        /// The file.
        path: String,
        /// The line that was asked for.
        line: u32,
    },
}

impl From<&PlaceError> for Failure {
    fn from(error: &PlaceError) -> Self {
        let help = match error {
            PlaceError::NotRead { .. } => {
                "`planlint check --list skipped` lists those that could not be read".to_owned()
            }
            PlaceError::NoStatement { near, .. } if near.is_empty() => {
                "there is none in this file; `planlint check --list statements` lists all".to_owned()
            }
            PlaceError::NoStatement { near, .. } => {
                let near: Vec<String> =
                    near.iter().map(|(line, sql)| format!("line {line} ({sql})")).collect();
                format!("the nearest of this file: {}", near.join("; "))
            }
            PlaceError::NoScript { path, line } => format!("`planlint explain {path}:{line}` says why"),
        };
        Self::new(error.to_string()).with_help(help)
    }
}

/// The statements nearest to a line that are named where it holds none.
const NEAREST: usize = 5;

/// Says what is known of the statements at a place.
///
/// # Errors
/// Those of a check; no statement is there; or the file is none of the tree.
pub fn explain_place(request: &CheckRequest<'_>, spot: &Spot, wanted: Wanted) -> Result<String, RunError> {
    let mut outcome = super::check(request)?;
    let Some((source, _)) = outcome.sources.find(&spot.path) else {
        let skipped = outcome.sources.skipped.iter().find(|one| one.path == spot.path);
        let reason = skipped
            .map_or_else(|| "its kind is not read, or it is excluded".to_owned(), |one| one.reason.clone());
        return Err(PlaceError::NotRead { path: spot.path.clone(), reason }.into());
    };
    let mut groups = outcome.at(source, spot);
    if groups.is_empty() {
        groups = outcome.at_focus(spot);
    }
    if groups.is_empty()
        && let Some(found) = migrated::explain(&outcome, source, spot, wanted.script)
    {
        return Ok(found?);
    }
    if groups.is_empty() {
        return Err(outcome.nothing_at(source, spot).into());
    }
    request.say("measuring growth at more sizes");
    if wanted.script {
        return outcome.script(&groups, spot, wanted.rows);
    }
    let mut all = Vec::new();
    for group in &groups {
        let series = outcome.series(group.shown, wanted.rows)?;
        all.push(explanation::explanation(&outcome, group, series.as_ref()));
    }
    Ok(explain::render(&all))
}

pub(super) fn no_script(spot: &Spot) -> PlaceError {
    PlaceError::NoScript { path: spot.path.clone(), line: spot.line.unwrap_or(1) }
}

/// The statements that one place of a text can be.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The one whose cost grows fastest.
    pub shown: usize,
    /// All of them.
    pub all: Vec<usize>,
}

impl Outcome {
    /// Whether a site covers a place.
    pub(super) fn covers(&self, source: SourceId, spot: &Spot, site: Site) -> bool {
        let Some(text) = self.sources.get(source).filter(|_| site.source == source) else { return false };
        let (start, end) = (text.position(site.start), text.position(site.end));
        let from = (start.line, spot.column.map(|_| start.column));
        let to = (end.line, spot.column.map(|_| end.column));
        spot.line.is_none_or(|line| (from..=to).contains(&(line, spot.column)))
    }

    /// The statements that cover a place, in order.
    pub(super) fn at(&self, source: SourceId, spot: &Spot) -> Vec<Group> {
        let statements = &self.analysis.statements;
        let covers = |site: Site| self.covers(source, spot, site);
        let mut found: Vec<usize> = (0..statements.len())
            .filter(|index| statements.get(*index).is_some_and(|one| covers(one.site)))
            .collect();
        if found.is_empty() {
            // Who points at the call means what it runs.
            let is_run_here = |index: &usize| {
                let statement = statements.get(*index);
                let literal = statement.and_then(|one| self.analysis.extraction.literals.get(one.literal));
                literal.and_then(|literal| literal.sink.as_ref()).is_some_and(|sink| covers(sink.site))
            };
            found = (0..statements.len()).filter(is_run_here).collect();
        }
        if found.is_empty() {
            found = self.run_by_helpers(covers);
        }
        let mut groups: BTreeMap<(u32, usize, usize), Vec<usize>> = BTreeMap::new();
        for index in found {
            if let Some(one) = statements.get(index) {
                groups.entry((one.site.start, one.literal, one.ordinal)).or_default().push(index);
            }
        }
        groups.into_values().filter_map(|all| self.group(all)).collect()
    }

    /// The statements of a finding that is shown at a place: a part of the text that the statement is put together from.
    fn at_focus(&self, spot: &Spot) -> Vec<Group> {
        let is_here = |place: &&Place| {
            let lines = place.start.line..=place.end.line;
            place.path == spot.path && spot.line.is_none_or(|line| lines.contains(&line))
        };
        let mut shown = self.report.diagnostics.iter();
        let found = shown.find(|one| one.focus.as_ref().is_some_and(|place| is_here(&place)));
        let Some(place) = found.and_then(|one| one.place.as_ref()) else { return Vec::new() };
        let Some((source, _)) = self.sources.find(&place.path) else { return Vec::new() };
        let (line, column) = (Some(place.start.line), Some(place.start.column));
        self.at(source, &Spot { path: place.path.clone(), line, column })
    }

    /// The statements that the functions called at a place run: those that loops are found to call stand there.
    fn run_by_helpers(&self, covers: impl Fn(Site) -> bool) -> Vec<usize> {
        let calls = &self.analysis.extraction.calls;
        let here = calls.iter().filter(|call| covers(call.site));
        let mut called: Vec<u32> = here.filter_map(|call| call.callee).collect();
        for _ in 0..2 {
            let found: Vec<usize> = (0..self.analysis.statements.len())
                .filter(|index| {
                    let statement = self.analysis.statements.get(*index);
                    let literal =
                        statement.and_then(|one| self.analysis.extraction.literals.get(one.literal));
                    literal
                        .and_then(|literal| literal.function)
                        .is_some_and(|function| called.contains(&function))
                })
                .collect();
            if !found.is_empty() {
                return found;
            }
            let inner =
                calls.iter().filter(|call| call.caller.is_some_and(|caller| called.contains(&caller)));
            called = inner.filter_map(|call| call.callee).collect();
        }
        Vec::new()
    }

    fn group(&self, all: Vec<usize>) -> Option<Group> {
        let shown = all.iter().copied().rev().max_by_key(|index| {
            let planned = self.analysis.statements.get(*index).is_some_and(|one| one.explained().is_some());
            let worst = self.growth(*index).and_then(|growth| growth.trials.first());
            (planned, worst.map(|trial| (!trial.explained, trial.class)))
        })?;
        Some(Group { shown, all })
    }

    /// What the check measured of a statement.
    pub(super) fn growth(&self, statement: usize) -> Option<&Growth> {
        self.analysis.measured.growths.iter().find(|growth| growth.statement == statement)
    }

    fn series(&mut self, statement: usize, rows: Option<u64>) -> Result<Option<Series>, RunError> {
        let Analysis { databases, statements, sizes, measured, .. } = &mut self.analysis;
        let measured = measured.growths.iter().find(|growth| growth.statement == statement);
        let trial = measured.and_then(|growth| growth.trials.first());
        Ok(growth::series(databases, statements, sizes, Asked { statement, trial, rows })?)
    }

    fn script(&mut self, groups: &[Group], spot: &Spot, rows: Option<u64>) -> Result<String, RunError> {
        let is_planned = |group: &&Group| {
            let statement = self.analysis.statements.get(group.shown);
            matches!(statement.map(|one| &one.outcome), Some(Became::Planned { .. }))
        };
        let none = || no_script(spot);
        let planned: Vec<&Group> = groups.iter().filter(is_planned).collect();
        let Some(first) = planned.first() else {
            let shown = groups.iter().find_map(|group| migrated::of_statement(self, group.shown));
            return shown.map(|shown| explain::rows::script(&shown)).ok_or_else(|| none().into());
        };
        let series = self.series(first.shown, rows)?;
        let others: Vec<usize> = planned.iter().skip(1).map(|group| group.shown).collect();
        let script = series.and_then(|series| explanation::script(self, first.shown, &series, &others));
        script.ok_or_else(|| none().into())
    }

    /// The error for a place that holds no statement: it names those nearby.
    fn nothing_at(&self, source: SourceId, spot: &Spot) -> PlaceError {
        let line = spot.line.unwrap_or(1);
        let Some(text) = self.sources.get(source) else {
            return PlaceError::NoStatement { path: spot.path.clone(), line, near: Vec::new() };
        };
        let own = self.analysis.statements.iter().filter(|one| one.site.source == source);
        let mut near: Vec<(u32, u32, String)> = own
            .map(|one| {
                let start = text.position(one.site.start).line;
                (start.abs_diff(line), start, explanation::one_line(one.text.as_str(), 40))
            })
            .collect();
        near.sort();
        near.dedup_by_key(|(_, start, _)| *start);
        near.truncate(NEAREST);
        near.sort_by_key(|(_, start, _)| *start);
        let near = near.into_iter().map(|(_, start, sql)| (start, sql)).collect();
        PlaceError::NoStatement { path: spot.path.clone(), line, near }
    }
}

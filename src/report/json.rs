//! The report as JSON, version 1: a format of its own, which stays when the types behind it change. docs/output.md
//! describes it. Keys may be added; none is removed or changed in meaning within a version.

use super::{
    BaselineSummary, ChangeSummary, Counts, Cure, Diagnostic, Growth, Judged, LogSummary, Object, Place,
    Related, Report, Suppression, SuppressionKind,
    coverage::{Coverage, Covered},
};
use crate::source::{Position, Skipped};
use databases::DatabaseOut;
use document::document;
use serde::Serialize;

/// The report on one line, with a line break at its end.
pub fn render(report: &Report) -> String {
    let own = Out {
        databases: report.databases.iter().map(DatabaseOut::from).collect(),
        statements: report.statements.into(),
        coverage: CoverageOut::from(report),
        workload: report.logs.iter().map(LogOut::from).collect(),
        growth: report.by_plan_alone.then_some("not measured"),
        since: report.change.as_ref().map(SinceOut::from),
        baseline: report.baseline.as_ref().map(BaselineOut::from),
        skipped: report.skipped.iter().map(SkippedOut::from).collect(),
        findings: report.diagnostics.iter().map(FindingOut::from).collect(),
    };
    document(&report.sqlite, Some(&report.root), own)
}

#[derive(Serialize)]
struct Out<'a> {
    databases: Vec<DatabaseOut<'a>>,
    statements: CountsOut,
    coverage: CoverageOut<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workload: Vec<LogOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<SinceOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<BaselineOut<'a>>,
    skipped: Vec<SkippedOut<'a>>,
    findings: Vec<FindingOut<'a>>,
}

#[derive(Serialize)]
pub(super) struct BaselineOut<'a> {
    path: &'a str,
    fixed: u32,
}

impl<'a> From<&'a BaselineSummary> for BaselineOut<'a> {
    fn from(baseline: &'a BaselineSummary) -> Self {
        Self { path: &baseline.path, fixed: baseline.fixed }
    }
}

#[derive(Serialize)]
pub(super) struct SinceOut<'a> {
    revision: &'a str,
    judged: bool,
    before: u32,
}

impl<'a> From<&'a ChangeSummary> for SinceOut<'a> {
    fn from(change: &'a ChangeSummary) -> Self {
        let before = change.before.unwrap_or(0);
        Self { revision: &change.since, judged: change.before.is_some(), before }
    }
}

#[derive(Serialize)]
pub(super) struct CountsOut {
    found: u32,
    planned: u32,
    dynamic: u32,
    refused: u32,
    foreign: u32,
    test: u32,
}

impl From<Counts> for CountsOut {
    fn from(counts: Counts) -> Self {
        let Counts { found, planned, dynamic, refused, foreign, test } = counts;
        Self { found, planned, dynamic, refused, foreign, test }
    }
}

#[derive(Serialize)]
struct CoverageOut<'a> {
    percent: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<u32>,
    passes: bool,
    languages: Vec<CoveredOut<'a>>,
    databases: Vec<CoveredOut<'a>>,
}

impl<'a> From<&'a Report> for CoverageOut<'a> {
    fn from(report: &'a Report) -> Self {
        let Coverage { languages, databases } = &report.coverage;
        Self {
            percent: report.coverage.whole().percent(),
            least: report.min_coverage,
            passes: report.lacks_coverage().is_none(),
            languages: languages.iter().map(CoveredOut::from).collect(),
            databases: databases.iter().map(CoveredOut::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct CoveredOut<'a> {
    name: Option<&'a str>,
    percent: Option<u32>,
    planned: u32,
    dynamic: u32,
    refused: u32,
    foreign: u32,
    other: u32,
}

impl<'a> From<&'a Covered> for CoveredOut<'a> {
    fn from(covered: &'a Covered) -> Self {
        let Covered { name, planned, dynamic, refused, foreign, other } = covered;
        Self {
            name: Some(name.as_str()).filter(|name| !name.is_empty()),
            percent: covered.percent(),
            planned: *planned,
            dynamic: *dynamic,
            refused: *refused,
            foreign: *foreign,
            other: *other,
        }
    }
}

#[derive(Serialize)]
struct LogOut<'a> {
    path: &'a str,
    runs: u64,
    statements: u64,
    other_lines: u64,
    left_out: u64,
}

impl<'a> From<&'a LogSummary> for LogOut<'a> {
    fn from(log: &'a LogSummary) -> Self {
        let LogSummary { path, runs, different, others, left_out } = log;
        Self { path, runs: *runs, statements: *different, other_lines: *others, left_out: *left_out }
    }
}

#[derive(Serialize)]
struct SkippedOut<'a> {
    path: &'a str,
    reason: &'a str,
}

impl<'a> From<&'a Skipped> for SkippedOut<'a> {
    fn from(skipped: &'a Skipped) -> Self {
        Self { path: &skipped.path, reason: &skipped.reason }
    }
}

#[derive(Serialize)]
struct FindingOut<'a> {
    rule: &'a str,
    severity: &'a str,
    state: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppression: Option<SuppressionOut<'a>>,
    database: Option<&'a str>,
    place: Option<PlaceOut<'a>>,
    object: Option<ObjectOut<'a>>,
    function: Option<&'a str>,
    context: &'a str,
    message: &'a str,
    help: Option<&'a str>,
    judged: Vec<JudgedOut<'a>>,
    related: Vec<RelatedOut<'a>>,
    cures: Vec<CureOut<'a>>,
    fingerprint: &'a str,
}

impl<'a> From<&'a Diagnostic> for FindingOut<'a> {
    fn from(one: &'a Diagnostic) -> Self {
        Self {
            rule: &one.rule,
            severity: one.severity.as_str(),
            state: one.state.as_str(),
            suppression: one.suppression.as_ref().map(SuppressionOut::from),
            database: one.database.as_deref(),
            place: one.place.as_ref().map(PlaceOut::from),
            object: one.object.as_ref().map(ObjectOut::from),
            function: one.function.as_deref(),
            context: &one.context,
            message: &one.message,
            help: one.help.as_deref(),
            judged: one.judged.iter().map(JudgedOut::from).collect(),
            related: one.related.iter().map(RelatedOut::from).collect(),
            cures: one.cures.iter().map(CureOut::from).collect(),
            fingerprint: &one.fingerprint,
        }
    }
}

#[derive(Serialize)]
struct SuppressionOut<'a> {
    kind: &'static str,
    reason: &'a str,
    place: Option<PlaceOut<'a>>,
}

impl<'a> From<&'a Suppression> for SuppressionOut<'a> {
    fn from(one: &'a Suppression) -> Self {
        let kind = match one.kind {
            SuppressionKind::InSource => "comment",
            SuppressionKind::External => "configuration",
        };
        Self { kind, reason: &one.justification, place: one.place.as_ref().map(PlaceOut::from) }
    }
}

#[derive(Serialize)]
struct PlaceOut<'a> {
    path: &'a str,
    start: PositionOut,
    end: PositionOut,
}

impl<'a> From<&'a Place> for PlaceOut<'a> {
    fn from(place: &'a Place) -> Self {
        Self { path: &place.path, start: place.start.into(), end: place.end.into() }
    }
}

#[derive(Serialize)]
struct PositionOut {
    line: u32,
    column: u32,
    offset: u32,
}

impl From<Position> for PositionOut {
    fn from(Position { line, column, offset }: Position) -> Self {
        Self { line, column, offset }
    }
}

#[derive(Serialize)]
pub(super) struct ObjectOut<'a> {
    kind: &'a str,
    name: &'a str,
}

impl<'a> From<&'a Object> for ObjectOut<'a> {
    fn from(object: &'a Object) -> Self {
        Self { kind: &object.kind, name: &object.name }
    }
}

#[derive(Serialize)]
pub(super) struct JudgedOut<'a> {
    variant: &'a str,
    plan: &'a [String],
    growth: Option<GrowthOut<'a>>,
}

impl<'a> From<&'a Judged> for JudgedOut<'a> {
    fn from(judged: &'a Judged) -> Self {
        let growth = judged.growth.as_ref().map(GrowthOut::from);
        Self { variant: &judged.variant, plan: &judged.plan, growth }
    }
}

#[derive(Serialize)]
struct GrowthOut<'a> {
    class: &'a str,
    explained: bool,
    rows: &'a [u64],
    steps: &'a [u64],
    pages: &'a [u64],
    returned: &'a [u64],
}

impl<'a> From<&'a Growth> for GrowthOut<'a> {
    fn from(growth: &'a Growth) -> Self {
        Self {
            class: &growth.class,
            explained: growth.explained,
            rows: &growth.rows,
            steps: &growth.steps,
            pages: &growth.pages,
            returned: &growth.returned,
        }
    }
}

#[derive(Serialize)]
struct RelatedOut<'a> {
    place: PlaceOut<'a>,
    message: &'a str,
}

impl<'a> From<&'a Related> for RelatedOut<'a> {
    fn from(related: &'a Related) -> Self {
        Self { place: (&related.place).into(), message: &related.message }
    }
}

#[derive(Serialize)]
pub(super) struct CureOut<'a> {
    kind: &'a str,
    sql: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'a str>,
    proved: bool,
    plan: &'a [String],
    class: Option<&'a str>,
    rows: Vec<u64>,
    steps: Vec<u64>,
    rises: bool,
    worse: &'a [String],
}

impl<'a> From<&'a Cure> for CureOut<'a> {
    fn from(cure: &'a Cure) -> Self {
        Self {
            kind: &cure.kind,
            sql: &cure.sql,
            part: cure.part.as_deref(),
            condition: cure.condition.as_deref(),
            proved: cure.proved,
            plan: &cure.plan,
            class: cure.class.as_deref(),
            rows: cure.measured.iter().map(|(rows, _)| *rows).collect(),
            steps: cure.measured.iter().map(|(_, steps)| *steps).collect(),
            rises: cure.rises.is_some(),
            worse: &cure.worse,
        }
    }
}

mod advice;
mod audit;
mod databases;
mod document;
mod plans;

pub use advice::render as render_advice;
pub use audit::render as render_audit;
pub use plans::render_plans;

#[cfg(test)]
mod tests;

//! From facts to findings, in two stages: what the rules find, what the user accepts of it, and what other rules find in
//! that. Knows the order; knows no rule by name.

use super::{Analysis, CheckRequest, RunError};
use crate::{
    config::{Config, Level},
    facts::{Facts, gather::Rows},
    rule::{self, Finding, Need, Rule, RuleError, Stage},
    source::Sources,
    suppression::{self, Ground, Subject, Suppression},
    workload::Statement,
};
use std::collections::HashMap;

/// What findings are judged with.
pub(super) struct Bench<'a> {
    pub rules: &'a [Rule],
    pub config: &'a Config,
    pub sources: &'a Sources,
    pub rows: &'a Rows,
    /// Whether growth was measured.
    pub measured: bool,
}

impl Bench<'_> {
    /// What the rules of a stage find, with the severities that the user wants.
    pub fn judge(&self, stage: Stage, facts: &mut Facts) -> Result<Vec<Finding>, RuleError> {
        let sites = self.rows.sites();
        let given: &[Need] = if self.measured { &[Need::Growth] } else { &[] };
        rule::judge(self.rules, stage, given, facts, |finding| {
            let site = finding.site.and_then(|row| sites.get(&row));
            let path = site.map(|site| self.sources.path(site.source));
            match self.config.level(&finding.rule, path) {
                None => Some(finding.severity),
                Some(Level::Off) => None,
                Some(Level::At(severity)) => Some(severity),
            }
        })
    }

    /// Holds findings against what the user accepts, and adds what the second stage finds in that.
    pub fn suppress(
        &self,
        request: &CheckRequest<'_>,
        findings: Vec<Finding>,
        analysis: &Analysis,
        facts: &mut Facts,
    ) -> Result<Vec<(Finding, Option<Suppression>)>, RunError> {
        let names: Vec<&str> = self.rules.iter().map(|rule| rule.name.as_str()).collect();
        let ground = Ground {
            config: self.config,
            sources: self.sources,
            extraction: &analysis.extraction,
            rules: &names,
            today: &request.today,
        };
        let suppressions = if request.suppress { suppression::gather(&ground) } else { Vec::new() };
        let accepted = suppression::accept(&suppressions, &self.subjects(&findings, analysis), &ground);
        suppression::record(facts, self.rows, self.sources, &findings, &suppressions, &accepted)?;
        let second = self.judge(Stage::Findings, facts)?;
        let by = accepted.by.iter().map(|by| by.and_then(|index| suppressions.get(index)).cloned());
        let first = findings.into_iter().zip(by);
        Ok(first.chain(second.into_iter().map(|finding| (finding, None))).collect())
    }

    fn subjects<'f>(&self, findings: &'f [Finding], analysis: &'f Analysis) -> Vec<Subject<'f>> {
        let sites = self.rows.sites();
        let statements: HashMap<i64, &Statement> =
            self.rows.statements.iter().copied().zip(&analysis.statements).collect();
        let databases: HashMap<i64, &str> = self
            .rows
            .databases
            .iter()
            .copied()
            .zip(analysis.databases.iter().map(|one| one.declaration.name.as_str()))
            .collect();
        let subject = |finding: &'f Finding| Subject {
            rule: &finding.rule,
            site: finding.site.and_then(|row| sites.get(&row)).copied(),
            database: finding.database.and_then(|row| databases.get(&row)).copied(),
            table: finding.table.as_deref(),
            statement: finding.statement.and_then(|row| statements.get(&row)).copied(),
        };
        findings.iter().map(subject).collect()
    }
}

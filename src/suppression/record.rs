//! Findings and suppressions as facts, for the rules of the second stage.

use super::{Accepted, Kind, Suppression};
use crate::{
    facts::{Facts, FactsError, gather::Rows},
    rule::Finding,
    source::Sources,
};

/// Writes down what was found and what is accepted of it. Suppressions get rows of their places in the slice, from 1.
///
/// # Errors
/// Where a row breaks the contract, which is a fault of planlint.
pub fn record(
    facts: &Facts,
    rows: &Rows,
    sources: &Sources,
    findings: &[Finding],
    suppressions: &[Suppression],
    accepted: &Accepted,
) -> Result<(), FactsError> {
    let row_of = |index: usize| index as i64 + 1;
    facts.add(|facts| {
        for (index, one) in suppressions.iter().enumerate() {
            let site = rows.add_site(facts, sources, one.site)?;
            let used = accepted.uses.get(index).copied().unwrap_or(0);
            let beside = accepted.beside.get(index).filter(|rules| !rules.is_empty());
            let beside = beside.map(|rules| rules.join(", "));
            let near = if used == 0 { nearest(one, findings, rows) } else { None };
            let kind = match one.kind {
                Kind::Comment => "comment",
                Kind::Configuration => "configuration",
            };
            facts.insert(
                "suppression",
                [
                    ("id", &row_of(index)),
                    ("site", &site),
                    ("kind", &kind),
                    ("rule", &Some(&one.rule).filter(|rule| !rule.is_empty())),
                    ("fault", &one.fault),
                    ("reason", &one.reason),
                    ("until", &one.until),
                    ("expired", &one.is_expired),
                    ("bounded", &one.bounded.map(|rows| i64::try_from(rows).unwrap_or(i64::MAX))),
                    ("used", &used),
                    ("beside", &beside),
                    ("near", &near),
                ],
            )?;
        }
        for (index, one) in findings.iter().enumerate() {
            let suppression = accepted.by.get(index).copied().flatten().map(row_of);
            let (kind, object) = one.object.as_ref().map(|(kind, name)| (kind, name)).unzip();
            facts.insert(
                "finding",
                [
                    ("rule", &one.rule),
                    ("severity", &one.severity.as_str()),
                    ("site", &one.site),
                    ("object_kind", &kind),
                    ("object", &object),
                    ("statement", &one.statement),
                    ("database", &one.database),
                    ("variant", &one.variant),
                    ("table", &one.table),
                    ("message", &one.message),
                    ("suppression", &suppression),
                ],
            )?;
        }
        Ok(())
    })
}

/// The site of the nearest finding of a suppression's rule in the file that it stands in.
fn nearest(one: &Suppression, findings: &[Finding], rows: &Rows) -> Option<i64> {
    let sites = rows.sites();
    let here = findings.iter().filter(|finding| finding.rule == one.rule).filter_map(|finding| {
        let row = finding.site?;
        let site = sites.get(&row).filter(|site| site.source == one.site.source)?;
        Some((site.start.abs_diff(one.site.start), row))
    });
    here.min().map(|(_, row)| row)
}

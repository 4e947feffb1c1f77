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
        for ((index, one), found) in suppressions.iter().enumerate().zip(&accepted.uses) {
            let site = rows.add_site(facts, sources, one.site)?;
            let near = found.near.map(|site| rows.add_site(facts, sources, site)).transpose()?;
            let beside = Some(&found.beside).filter(|rules| !rules.is_empty()).map(|rules| rules.join(", "));
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
                    ("used", &found.count),
                    ("beside", &beside),
                    ("near", &near),
                ],
            )?;
        }
        for (one, by) in findings.iter().zip(&accepted.by) {
            let suppression = by.map(row_of);
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

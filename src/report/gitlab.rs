//! The findings as a Code Quality report of GitLab, which shows them in the merge request: a list of issues of the Code
//! Climate format, as far as GitLab reads it. Knows that format; docs/output.md says what GitLab makes of it.

use super::{Diagnostic, Report};
use crate::{config::Severity, source::Position};
use serde::Serialize;

/// The findings that count, worst first, on one line with a line break at its end. GitLab compares two reports by the
/// fingerprints. `below` is where the tree lies in its repository, as `services/node/`: paths start at the root of that.
pub fn render(report: &Report, below: &str, notes: bool) -> String {
    let shown = report.diagnostics.iter().filter(|one| one.is_shown(notes));
    let issues: Vec<Issue<'_>> = shown.map(|one| Issue::new(one, below)).collect();
    // Strings, numbers and lists always have a JSON; an empty text would be the only other answer.
    let mut text = serde_json::to_string(&issues).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Issue<'a> {
    check_name: &'a str,
    description: String,
    severity: &'static str,
    fingerprint: &'a str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    positions: Positions,
}

#[derive(Serialize)]
struct Positions {
    begin: PositionOut,
    end: PositionOut,
}

#[derive(Serialize)]
struct PositionOut {
    line: u32,
    column: u32,
}

impl From<Position> for PositionOut {
    fn from(at: Position) -> Self {
        Self { line: at.line, column: at.column }
    }
}

impl<'a> Issue<'a> {
    fn new(one: &'a Diagnostic, below: &str) -> Self {
        let help = one.what_to_do();
        let fact = one.message.trim_end();
        let stop = if fact.ends_with(['.', '!', '?']) { "" } else { "." };
        let place = one.place.as_ref();
        let start = Position { line: 1, column: 1, offset: 0 };
        Self {
            check_name: &one.rule,
            description: format!("{fact}{stop} {help}").trim_end().to_owned(),
            severity: match one.severity {
                Severity::Note => "info",
                Severity::Warning => "major",
                Severity::Error => "critical",
            },
            fingerprint: &one.fingerprint,
            location: Location {
                // GitLab leaves out what has no file: the root of the tree is all there is to name.
                path: place.map_or_else(|| root(below), |place| format!("{below}{}", place.path)),
                positions: place.map_or_else(
                    || Positions { begin: start.into(), end: start.into() },
                    |place| Positions { begin: place.start.into(), end: place.end.into() },
                ),
            },
        }
    }
}

fn root(below: &str) -> String {
    let folder = below.trim_end_matches('/');
    if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{State, sample};

    #[test]
    fn what_counts_is_an_issue_with_the_fingerprint_of_every_format() {
        let mut report = sample::report();
        let issues: serde_json::Value = serde_json::from_str(&render(&report, "node/", false)).unwrap();
        let said = |at: usize, key: &str| issues[at][key].as_str().unwrap().to_owned();
        assert_eq!(issues.as_array().unwrap().len(), 2);
        assert_eq!((said(0, "severity"), said(1, "severity")), ("critical".to_owned(), "major".to_owned()));
        assert_eq!(said(1, "fingerprint"), report.diagnostics[1].fingerprint);
        assert_eq!(issues[1]["location"]["path"], "node/src/queue.rs");
        assert_eq!(issues[1]["location"]["positions"]["begin"]["line"], 5);
        assert!(said(1, "description").contains("Cure: `CREATE INDEX"), "{issues}");
        for one in &mut report.diagnostics {
            one.state = State::Baseline;
        }
        assert_eq!(render(&report, "", true), "[]\n");
    }
}

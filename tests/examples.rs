//! The example projects: each says in its sources what is to be found there, by `finds: <rule> (<severity>)` on a line
//! that the finding covers, the severity only where it is not the rule's own. Nothing else is found. The README shows one
//! of them, and is held to it.

#![cfg(test)]

use planlint::report::{Diagnostic, Place};
use planlint::rule;
use planlint::run::{CheckRequest, check};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A rule, its severity, and a line of a file where it must find something.
struct Announced {
    path: String,
    line: u32,
    rule: String,
    severity: String,
}

impl Announced {
    fn covers(&self, found: &Diagnostic) -> bool {
        let here = found.place.as_ref().is_some_and(|place| {
            place.path == self.path && (place.start.line..=place.end.line).contains(&self.line)
        });
        here && found.rule == self.rule && found.severity.as_str() == self.severity
    }
}

/// Reads what the files of a folder announce.
fn announced(root: &Path, folder: &Path, severities: &BTreeMap<String, String>) -> Vec<Announced> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(announced(root, &path, severities));
            continue;
        }
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        for (line, number) in fs::read_to_string(&path).unwrap().lines().zip(1..) {
            let mark = line.split_once("-- finds: ").or_else(|| line.split_once("// finds: "));
            let Some((_, mark)) = mark else { continue };
            let (rule, severity) = mark.trim().split_once(" (").unwrap_or((mark.trim(), ""));
            let own = severities.get(rule).unwrap_or_else(|| panic!("{name}:{number}: no rule `{rule}`"));
            let severity = severity.strip_suffix(')').unwrap_or(own).to_owned();
            found.push(Announced { path: name.clone(), line: number, rule: rule.to_owned(), severity });
        }
    }
    found
}

/// What a project announces and the run does not find, and the reverse; empty where they agree.
fn faults(project: &Path) -> String {
    let rules = rule::builtin().unwrap().into_iter();
    let severities = rules.map(|rule| (rule.name, rule.severity.to_string())).collect();
    let mut open = announced(project, project, &severities);
    let outcome = check(&CheckRequest::new(project)).unwrap();
    let mut faults = String::new();
    for found in &outcome.report.diagnostics {
        if let Some(index) = open.iter().position(|mark| mark.covers(found)) {
            open.remove(index);
            continue;
        }
        let place = found.place.as_ref().map_or("nowhere".to_owned(), Place::short);
        let Diagnostic { rule, severity, message, .. } = found;
        writeln!(faults, "    found at {place}: {rule} ({severity}): {message}").unwrap();
    }
    for Announced { path, line, rule, severity } in open {
        writeln!(faults, "    not found at {path}:{line}: {rule} ({severity})").unwrap();
    }
    faults
}

#[test]
fn every_example_shows_what_it_announces_and_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let projects = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let projects: Vec<PathBuf> = projects.filter(|path| path.is_dir()).collect();
    assert!(!projects.is_empty());
    for project in projects {
        let faults = faults(&project);
        assert!(faults.is_empty(), "{}:\n{faults}", project.display());
    }
}

#[test]
fn the_readme_shows_what_there_is_to_see() {
    trycmd::TestCases::new().env("LC_ALL", "C.UTF-8").case("README.md").case("docs/seeds.md");
}

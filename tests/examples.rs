//! The example projects: each says in its sources what is to be found there, by `finds: <rule> (<severity>)` on a line
//! that the finding covers, the severity only where it is not the rule's own. Nothing else is found. The README shows one
//! of them, and is held to it.

#![cfg(test)]

use planlint::rule::{self, Announced};
use planlint::run::{CheckRequest, check, compare, rules};
use std::fs;
use std::path::{Path, PathBuf};

/// Reads what the source files of a folder announce.
fn announced(root: &Path, folder: &Path) -> Vec<Announced> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(announced(root, &path));
        } else if path.extension().is_some_and(|it| it != "md") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            let marks = rule::marks(&name, &fs::read_to_string(&path).unwrap());
            found.extend(marks.unwrap_or_else(|(line, message)| panic!("{name}:{line}: {message}")));
        }
    }
    found
}

/// What a project announces and the run does not find, and the reverse; empty where they agree.
fn faults(project: &Path) -> String {
    let request = CheckRequest::new(project);
    let rules = rules(&request).unwrap();
    let announced = announced(project, project);
    for mark in &announced {
        assert!(
            rules.iter().any(|rule| rule.name == mark.rule),
            "{}: no such rule: {mark:?}",
            project.display()
        );
    }
    let outcome = check(&request).unwrap();
    let faults = compare(announced, &outcome.report.diagnostics, &rules, |_, line| line);
    let lines: Vec<String> = faults.into_iter().map(|fault| format!("    {}", fault.text)).collect();
    lines.join("\n")
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

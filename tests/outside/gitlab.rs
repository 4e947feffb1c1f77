//! Reports for GitLab, held against those of another linter: what GitLab's own schema asks for is there, in the shape in which
//! Ruff writes it.

use crate::{output, subjects, tool};
use planlint::report::{State, gitlab};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// The keys of an object, with the type of each: `location.path` is a `string`.
fn shape(value: &Value, at: &str, found: &mut BTreeMap<String, &'static str>) {
    let kind = match value {
        Value::Object(own) => {
            for (key, inner) in own {
                let below = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                shape(inner, &below, found);
            }
            "object"
        }
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        Value::Null => "null",
    };
    found.insert(at.to_owned(), kind);
}

fn shapes(report: &str) -> Vec<BTreeMap<String, &'static str>> {
    let issues: Vec<Value> = serde_json::from_str(report).unwrap();
    let shape = |issue: &Value| {
        let mut found = BTreeMap::new();
        shape(issue, "", &mut found);
        found
    };
    issues.iter().map(shape).collect()
}

/// What Ruff reports of a file with one fault.
fn ruff() -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.py"), "import os\n").unwrap();
    let mut command = Command::new(tool("venv/bin/ruff"));
    command.args(["check", "--isolated", "--no-cache", "--output-format", "gitlab", "a.py"]);
    String::from_utf8(output(command.current_dir(folder.path())).stdout).unwrap()
}

#[test]
fn an_issue_has_the_shape_in_which_another_linter_writes_it() {
    let theirs = shapes(&ruff());
    assert_eq!(theirs.len(), 1, "{theirs:?}");
    let mut count = 0;
    for subject in subjects::all() {
        let report = gitlab::render(&subject.report, &subject.below, true);
        let new = subject.report.diagnostics.iter().filter(|one| one.state == State::New).count();
        let ours = shapes(&report);
        assert_eq!(ours.len(), new, "{}", subject.name);
        for issue in &ours {
            assert_eq!(issue, &theirs[0], "{}", subject.name);
        }
        count += new;
    }
    assert!(count > 10, "{count}");
}

#[test]
fn every_issue_has_a_severity_that_gitlab_knows_and_a_fingerprint_of_its_own() {
    for subject in subjects::all().iter().filter(|subject| subject.name != "full") {
        let report = gitlab::render(&subject.report, &subject.below, true);
        let issues: Vec<Value> = serde_json::from_str(&report).unwrap();
        let mut seen: Vec<&str> = issues.iter().map(|one| one["fingerprint"].as_str().unwrap()).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), issues.len(), "{}", subject.name);
        for one in &issues {
            let severity = one["severity"].as_str().unwrap();
            assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity), "{severity}");
            let path = subject.repository.join(one["location"]["path"].as_str().unwrap());
            assert!(path.exists(), "{}", path.display());
        }
    }
}

//! Annotations, by the toolkit with which GitHub's own actions write them.

use crate::{printed, subjects, tool};
use planlint::config::Severity;
use planlint::report::{Diagnostic, State, github};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// Reads a list of kind, message and properties, and annotates.
const TOOLKIT: &str = r#"
import * as core from "@actions/core";
import { readFileSync } from "node:fs";
for (const [kind, message, properties] of JSON.parse(readFileSync(0, "utf8"))) core[kind](message, properties);
"#;

fn annotated(annotations: &[Value]) -> String {
    let mut command = Command::new("node");
    command.args(["--input-type=module", "--eval", TOOLKIT]).current_dir(tool("npm"));
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|error| panic!("node: {error}"));
    child.stdin.take().unwrap().write_all(json!(annotations).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", printed(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What the toolkit is asked to write for a finding.
fn annotation(one: &Diagnostic, below: &str) -> Value {
    let kind = match one.severity {
        Severity::Note => "notice",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let mut properties = json!({"title": one.rule});
    if let Some(place) = &one.place {
        properties["file"] = json!(format!("{below}{}", place.path));
        properties["startLine"] = json!(place.start.line);
        properties["endLine"] = json!(place.end.line);
        if place.start.line == place.end.line {
            properties["startColumn"] = json!(place.start.column);
            properties["endColumn"] = json!(place.end.column);
        }
    }
    let message = match one.what_to_do().as_str() {
        "" => one.message.clone(),
        help => format!("{}\n{help}", one.message),
    };
    json!([kind, message, properties])
}

#[test]
fn github_writes_the_same_annotations() {
    let mut count = 0;
    for subject in subjects::all() {
        let text = github::render(&subject.report, &subject.below, true);
        let (ours, summary) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
        let new = subject.report.diagnostics.iter().filter(|one| one.state == State::New);
        let annotations: Vec<Value> = new.map(|one| annotation(one, &subject.below)).collect();
        assert_eq!(ours, annotated(&annotations).trim_end(), "{}", subject.name);
        assert!(!summary.contains("::"), "{summary}");
        count += annotations.len();
    }
    assert!(count > 10, "{count}");
}

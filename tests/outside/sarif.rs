//! SARIF, by two of others: the schema of the standard, and Microsoft's SARIF Multitool, which knows what no schema can
//! say, and finds the text of each region by itself.

use crate::subjects::{self, Subject};
use crate::{output, printed, root, run, tool};
use planlint::report::{Place, sarif};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MULTITOOL: &str = "npm/node_modules/@microsoft/sarif-multitool-linux";

fn multitool(verb: &str, logs: &[PathBuf], out: &Path) -> Command {
    let mut command = Command::new(tool(MULTITOOL).join("Sarif.Multitool"));
    // Without it the tool wants a library of locales.
    command.env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1");
    command.arg(verb).args(logs).arg("--output").arg(out).args(["--log", "ForceOverwrite"]);
    command
}

/// What the schema says of some logs; nothing where they follow it.
fn schema_faults(logs: &[PathBuf]) -> String {
    let mut command = Command::new(tool("venv/bin/check-jsonschema"));
    let output = output(command.arg("--schemafile").arg(tool(MULTITOOL).join("sarif-2.1.0.json")).args(logs));
    if output.status.success() { String::new() } else { printed(&output) }
}

/// What the Multitool finds in some logs: errors and warnings of its rules and of those of GitHub's code scanning.
fn multitool_faults(logs: &[PathBuf]) -> Vec<Value> {
    let out = logs[0].with_extension("judged");
    let policy = root().join("tests/outside/sarif-policy.xml");
    let mut command = multitool("validate", logs, &out);
    run(command.args(["--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "--config"]).arg(policy));
    let judged: Value = serde_json::from_slice(&fs::read(out).unwrap()).unwrap();
    assert_eq!(judged["runs"][0]["invocations"][0]["executionSuccessful"].as_bool(), Some(true), "{judged}");
    judged["runs"][0]["results"].as_array().cloned().unwrap_or_default()
}

fn write(folder: &Path, name: &str, log: &Value) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, log.to_string()).unwrap();
    path
}

fn rendered(subject: &Subject) -> Value {
    serde_json::from_str(&sarif::render(&subject.report, &subject.below)).unwrap()
}

#[test]
fn every_log_follows_the_schema_and_the_rules_of_the_standard() {
    let subjects = subjects::all();
    let folder = tempfile::tempdir().unwrap();
    let mut logs = Vec::new();
    for subject in subjects {
        let mut log = rendered(subject);
        logs.push(write(folder.path(), &format!("{}.sarif", subject.name), &log));
        if subject.name == "full" {
            // GitHub refuses a finding without a place, as docs/output.md says.
            let results = log["runs"][0]["results"].as_array_mut().unwrap();
            assert!(results.pop().unwrap().get("locations").is_none());
            logs.pop();
            logs.push(write(folder.path(), "placed.sarif", &log));
        }
    }
    assert_eq!(schema_faults(&logs), "");
    assert_eq!(multitool_faults(&logs), [] as [Value; 0]);
}

#[test]
fn a_finding_without_a_place_is_sarif_too() {
    let subjects = subjects::all();
    let folder = tempfile::tempdir().unwrap();
    let full = subjects.iter().find(|subject| subject.name == "full").unwrap();
    let logs = [write(folder.path(), "full.sarif", &rendered(full))];
    assert_eq!(schema_faults(&logs), "");
    let faults = multitool_faults(&logs);
    let ours: Vec<&Value> = faults.iter().filter(|fault| !is_of_github(fault)).collect();
    assert!(ours.is_empty(), "{ours:?}");
}

/// Whether GitHub alone asks for it.
fn is_of_github(fault: &Value) -> bool {
    fault["ruleId"].as_str().is_some_and(|rule| rule.starts_with("GH"))
}

#[test]
fn what_is_broken_is_seen() {
    let subjects = subjects::all();
    let folder = tempfile::tempdir().unwrap();
    let mut log = rendered(&subjects[1]);
    log["runs"][0]["results"][0]["ruleIndex"] = json!(999);
    let broken = write(folder.path(), "index.sarif", &log);
    assert_eq!(multitool_faults(&[broken]).len(), 1);
    log["runs"][0]["columnKind"] = json!("bytes");
    let broken = write(folder.path(), "kind.sarif", &log);
    assert!(schema_faults(&[broken]).contains("columnKind"));
}

#[test]
fn what_is_accepted_says_where_it_is_said() {
    let odd = subjects::all().iter().find(|subject| subject.name == "odd").unwrap();
    let log = rendered(odd);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let said: Vec<&Value> = results.iter().filter_map(|one| one["suppressions"].get(0)).collect();
    let said: Vec<[Option<&str>; 2]> =
        said.iter().map(|one| [one["kind"].as_str(), one["justification"].as_str()]).collect();
    let expected = [["inSource", "only {0} times: \"ü\", 5 %"], ["external", "few rows,\nso {far}"]]
        .map(|one| one.map(Some));
    assert_eq!(said, expected);
}

#[test]
fn the_index_of_a_rule_is_that_of_its_name() {
    let subjects = subjects::all();
    let mut count = 0;
    for subject in subjects {
        let run = &rendered(subject)["runs"][0];
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn another_reader_finds_the_same_text_in_every_region() {
    let subjects = subjects::all();
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for subject in subjects {
        let mut log = rendered(subject);
        let root = format!("file://{}/", subject.repository.display());
        log["runs"][0]["originalUriBaseIds"]["SRCROOT"]["uri"] = json!(root);
        let path = write(folder.path(), "rooted.sarif", &log);
        let out = folder.path().join("read.sarif");
        run(multitool("rewrite", &[path], &out).args(["--insert", "RegionSnippets"]));
        let read: Value = serde_json::from_slice(&fs::read(out).unwrap()).unwrap();
        let results = read["runs"][0]["results"].as_array().unwrap();
        for (one, result) in subject.report.diagnostics.iter().zip(results) {
            let places = one.place.iter().chain(one.related.iter().map(|related| &related.place));
            let lists = [&result["locations"], &result["relatedLocations"]];
            let found = lists.into_iter().filter_map(Value::as_array).flatten();
            let found: Vec<_> =
                found.map(|one| one["physicalLocation"]["region"]["snippet"]["text"].clone()).collect();
            let expected: Vec<Value> = places.map(|place| json!(text(subject, place))).collect();
            assert_eq!(found, expected, "{}: {}", subject.name, one.message);
            count += found.len();
        }
    }
    assert!(count > 20, "{count}");
}

fn text<'a>(subject: &'a Subject, place: &Place) -> &'a str {
    let (_, source) = subject.sources.find(&place.path).unwrap();
    source.slice(place.start.offset, place.end.offset)
}

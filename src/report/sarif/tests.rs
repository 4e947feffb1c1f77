//! What the SARIF of a small report says. That it is SARIF at all is asked of others, in tests/outside.rs.

use super::*;
use crate::report::{BaselineSummary, sample};
use serde_json::{Value, json};

fn rendered(report: &Report, below: &str) -> Value {
    let mut log: Value = serde_json::from_str(&render(report, below)).unwrap();
    log["runs"][0].take()
}

#[test]
fn rules_are_listed_whether_or_not_they_found_something() {
    let mut report = sample::report();
    report.diagnostics.clear();
    let driver = &rendered(&report, "")["tool"]["driver"];
    assert_eq!(driver["semanticVersion"], env!("CARGO_PKG_VERSION"));
    let expected = json!({
        "id": "full-read",
        "shortDescription": {"text": "What full-read finds"},
        "fullDescription": {"text": "It is slow.\n\nAnd it grows."},
        "help": {"text": "Make it fast.",
                 "markdown": "It is slow.\n\nAnd it grows.\n\n**What to do:** Make it fast."},
        "defaultConfiguration": {"level": "warning"},
    });
    assert_eq!(driver["rules"][1], expected);
}

#[test]
fn a_finding_carries_its_places_and_its_evidence() {
    let finding = &rendered(&sample::report(), "")["results"][1];
    assert_eq!((&finding["ruleIndex"], &finding["level"]), (&json!(2), &json!("warning")));
    let text = "`queue` is read in full to find one row, and it gains a row with every block that arrives. Add an \
                index on the columns that the statement compares with a value. Cure: `CREATE INDEX queue_state ON \
                queue(state);`.";
    assert_eq!(finding["message"]["text"], text);
    let place = json!([{
        "physicalLocation": {
            "artifactLocation": {"uri": "src/queue.rs", "uriBaseId": "SRCROOT"},
            "region": {"startLine": 5, "startColumn": 10, "endLine": 6, "endColumn": 45}},
        "logicalLocations": [{"name": "next_ready", "kind": "function"}],
    }]);
    assert_eq!(finding["locations"], place);
    assert_eq!(finding["relatedLocations"][1]["message"]["text"], "the schema is changed here");
    assert_eq!(finding["partialFingerprints"], json!({"planlint/v1": "1:growing-table-scan"}));
    assert_eq!(finding["properties"]["judged"][0]["plan"], json!(["SCAN child"]));
    assert_eq!(finding["properties"]["database"], "blocks");
}

#[test]
fn what_has_no_place_gets_none() {
    let finding = &rendered(&sample::report(), "")["results"][2];
    assert_eq!((finding["ruleId"].as_str(), finding.get("locations")), (Some("full-read"), None));
}

#[test]
fn a_state_is_told_only_against_a_baseline() {
    let mut report = sample::report();
    report.diagnostics[0].state = State::Baseline;
    report.diagnostics[1].state = State::Suppressed;
    let states = |report: &Report| {
        let results = rendered(report, "")["results"].take();
        let results = results.as_array().unwrap().clone();
        results.into_iter().map(|mut one| one["baselineState"].take()).collect::<Vec<_>>()
    };
    assert_eq!(states(&report), [Value::Null, Value::Null, Value::Null]);
    report.baseline = Some(BaselineSummary::default());
    assert_eq!(states(&report), [json!("unchanged"), Value::Null, json!("new")]);
}

#[test]
fn what_is_accepted_says_why_and_where() {
    let mut report = sample::report();
    let place = report.diagnostics[0].place.clone();
    let justification = "it has three rows".to_owned();
    report.diagnostics[0].state = State::Suppressed;
    report.diagnostics[0].suppression =
        Some(Suppression { kind: SuppressionKind::InSource, justification, place });
    report.diagnostics[1].state = State::Suppressed;
    let results = &rendered(&report, "")["results"];
    let first = &results[0]["suppressions"][0];
    assert_eq!((&first["kind"], &first["justification"]), (&json!("inSource"), &json!("it has three rows")));
    assert_eq!(first["location"]["physicalLocation"], results[0]["locations"][0]["physicalLocation"]);
    assert_eq!(results[1]["suppressions"], json!([{"kind": "external"}]));
    assert_eq!(results[2]["suppressions"], json!([]));
}

#[test]
fn files_that_were_not_read_are_told() {
    let invocation = &rendered(&sample::report(), "")["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    let told = &invocation["toolExecutionNotifications"][0];
    assert_eq!(told["message"]["text"], "Not read: binary.");
    assert_eq!(told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.bin");
}

#[test]
fn paths_start_at_the_repository_and_are_uris() {
    assert_eq!(encoded("a b/ü#1%,:?.sql"), "a%20b/%C3%BC%231%25%2C%3A%3F.sql");
    let uri = &rendered(&sample::report(), "my node/")["results"][1]["locations"][0];
    assert_eq!(uri["physicalLocation"]["artifactLocation"]["uri"], "my%20node/src/queue.rs");
}

#[test]
fn braces_hold_no_arguments() {
    let mut report = sample::report();
    report.diagnostics[0].message = "the text is `{0}`".to_owned();
    assert_eq!(rendered(&report, "")["results"][0]["message"]["text"], "the text is `{{0}}`.");
}

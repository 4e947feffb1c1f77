//! What the JSON says of a small report.

use super::*;
use crate::report::sample;
use serde_json::{Value, json};

fn rendered(report: &Report) -> Value {
    serde_json::from_str(&render(report)).unwrap()
}

#[test]
fn the_head_counts_what_was_looked_at() {
    let mut value = rendered(&sample::report());
    assert_eq!(value["findings"].as_array_mut().map(std::mem::take).unwrap().len(), 3);
    let expected = json!({
        "version": 1, "planlint": env!("CARGO_PKG_VERSION"), "sqlite": "3.54.1", "root": ".",
        "databases": [
            {"name": "blocks", "found": "configured", "tables": 12, "indexes": 20, "migrations": 1,
             "variants": [{"id": "declared"}]},
            {"name": "peers", "found": "guessed", "tables": 12, "indexes": 20, "migrations": 1,
             "variants": [{"id": "declared"}, {"id": "upgraded from v1", "releases": ["v1", "v1.1"]}]}],
        "statements": {"found": 1560, "planned": 1555, "dynamic": 3, "refused": 2, "foreign": 0, "test": 74},
        "coverage": {"percent": null, "passes": true, "languages": [], "databases": []},
        "skipped": [{"path": "a.bin", "reason": "binary"}],
        "findings": [],
    });
    assert_eq!(value, expected);
}

#[test]
fn a_finding_carries_its_evidence() {
    let expected = json!({
        "rule": "growing-table-scan", "severity": "warning", "state": "new", "database": "blocks",
        "place": {"path": "src/queue.rs", "start": {"line": 5, "column": 10, "offset": 85},
                  "end": {"line": 6, "column": 45, "offset": 165}},
        "object": {"kind": "table", "name": "queue"}, "function": "next_ready", "context": "production",
        "message":
            "`queue` is read in full to find one row, and it gains a row with every block that arrives",
        "help": "Add an index on the columns that the statement compares with a value.",
        "judged": [{"variant": "declared", "plan": ["SCAN child"],
            "growth": {"class": "linear", "explained": false, "rows": [400, 1600], "steps": [2811, 11211],
                       "pages": [20, 77], "returned": [0, 0]}}],
        "related": [
            {"place": {"path": "src/queue.rs", "start": {"line": 12, "column": 17, "offset": 239},
                       "end": {"line": 12, "column": 65, "offset": 287}},
             "message": "grows: inserted here, deleted nowhere"},
            {"place": {"path": "db/2_seen.sql", "start": {"line": 1, "column": 13, "offset": 12},
                       "end": {"line": 1, "column": 18, "offset": 17}},
             "message": "the schema is changed here"}],
        "cures": [{"kind": "index", "sql": "CREATE INDEX queue_state ON queue(state);", "proved": true,
            "plan": ["SEARCH child USING INDEX queue_state (state=?)"], "class": "constant",
            "rows": [], "steps": [], "rises": false, "worse": []}],
        "fingerprint": "1:growing-table-scan",
    });
    assert_eq!(rendered(&sample::report())["findings"][1], expected);
}

#[test]
fn what_is_not_known_is_null() {
    let finding = &rendered(&sample::report())["findings"][2];
    for key in ["database", "place", "object", "function", "help"] {
        assert_eq!(finding.get(key), Some(&Value::Null), "{key}");
    }
}

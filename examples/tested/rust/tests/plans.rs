//! No statement of the program becomes slow as its tables grow: the whole tree is judged as `planlint check` does.

use planlint::CheckRequest;

#[test]
fn no_statement_becomes_slow() {
    let outcome = planlint::check(&CheckRequest::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(outcome.passes(), "{outcome}");
}

#[test]
fn no_statement_scans_a_growing_table() {
    let outcome = planlint::check(&CheckRequest::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let scans: Vec<String> = outcome
        .report
        .diagnostics
        .iter()
        .filter(|one| one.rule == "growing-table-scan")
        .map(|one| one.message.clone())
        .collect();
    assert!(scans.is_empty(), "{scans:#?}");
}

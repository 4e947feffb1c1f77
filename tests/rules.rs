//! The pages of the rules, `tests/rules/<name>.md`, run as `planlint rules --test` runs those of a user: all rules on all
//! cases, so that what is found and not announced is as wrong as what is announced and not found. `src/rule/page.rs` says
//! how a page is written.

#![cfg(test)]

use planlint::report::pages::{Tested, render};
use planlint::rule::{self, Case, Page};
use planlint::run::{CheckRequest, facts, test_rules};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const FOLDER: &str = "tests/rules";

/// The pages of rules that take a program of others, which tests/outside.rs runs.
const OUTSIDE: &str = "tests/outside/rules";

fn pages_in(folder: &str) -> Vec<Page> {
    rule::load_pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), folder).unwrap()
}

#[test]
fn every_case_finds_what_it_announces_and_nothing_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Tested { mut cases, notes } =
        test_rules(&CheckRequest::new(root), (&root.join(FOLDER), FOLDER), &[]).unwrap();
    assert!(cases.len() > 100 && notes.is_empty(), "{} cases, {notes:?}", cases.len());
    cases.retain(|case| !case.faults.is_empty());
    let passes = cases.is_empty();
    assert!(passes, "\n{}", render(&Tested { cases, notes }));
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let rules: BTreeSet<String> = rule::builtin().unwrap().into_iter().map(|rule| rule.name).collect();
    let pages = pages_in(FOLDER).into_iter().chain(pages_in(OUTSIDE));
    let pages: BTreeSet<String> = pages.map(|page| page.rule).collect();
    assert_eq!(rules, pages);
}

#[test]
fn every_rule_has_a_case_that_fires_and_a_lookalike_that_is_silent() {
    for page in pages_in(FOLDER).into_iter().chain(pages_in(OUTSIDE)) {
        let (firing, silent): (Vec<&Case>, Vec<&Case>) = page.cases.iter().partition(|case| page.fires(case));
        assert!(!firing.is_empty(), "{}: no case fires", page.path);
        assert!(!silent.is_empty(), "{}: no case is silent", page.path);
    }
}

#[test]
fn every_id_in_the_facts_of_a_case_leads_to_a_row() {
    let pages = pages_in(FOLDER);
    let cases: Vec<(&Page, &Case)> =
        pages.iter().flat_map(|page| page.cases.iter().map(move |case| (page, case))).collect();
    cases.par_iter().for_each(|(page, case)| {
        let folder = tempfile::tempdir().unwrap();
        for file in &case.files {
            let path = folder.path().join(&file.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &file.text).unwrap();
        }
        let path = folder.path().join("facts.db");
        facts(&CheckRequest::new(folder.path()), &path).unwrap();
        let file = rusqlite::Connection::open(&path).unwrap();
        let mut check =
            file.prepare("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check").unwrap();
        let lost = check.query_map([], |row| {
            Ok(format!(
                "{}.{} → {}",
                row.get::<_, String>(0)?,
                row.get::<_, i64>(1)?,
                row.get::<_, String>(2)?
            ))
        });
        let lost: Vec<String> = lost.unwrap().map(Result::unwrap).collect();
        assert!(lost.is_empty(), "{}:{}: {lost:?}", page.path, case.line);
    });
}

//! The pages of the rules, `tests/rules/<name>.md`: small programs that say themselves what is to be found in them.
//!
//! A case is a heading of the second level and the blocks under it, each with its language and file name. A comment
//! `finds: <rule>` stands on a line that the finding covers; `finds: <rule> (note)` where the severity is not the rule's
//! own. All rules run on all cases, so that what is found and not announced is as wrong as what is announced and not
//! found.

#![cfg(test)]

use planlint::config::Severity;
use planlint::report::{Diagnostic, Place, State};
use planlint::rule::{self, Rule};
use planlint::run::{CheckRequest, check, facts};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A small program.
struct Case {
    page: String,
    title: String,
    line: usize,
    files: Vec<(String, String)>,
}

/// A rule, a line of a file where it must find something, and how bad that must be if not as the rule says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Announced {
    path: String,
    line: u32,
    rule: String,
    severity: Option<Severity>,
}

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

fn cases(path: &Path) -> Vec<Case> {
    let page = stem(path);
    let mut cases: Vec<Case> = Vec::new();
    let mut open = false;
    for (index, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
        let place = format!("{}:{}", path.display(), index + 1);
        if open {
            open = line != "```";
            if open {
                let (_, text) = cases.last_mut().unwrap().files.last_mut().unwrap();
                writeln!(text, "{line}").unwrap();
            }
        } else if let Some(title) = line.strip_prefix("## ") {
            cases.push(Case {
                page: page.clone(),
                title: title.to_owned(),
                line: index + 1,
                files: Vec::new(),
            });
        } else if let Some(opening) = line.strip_prefix("```") {
            let (_, name) = opening.split_once(' ').unwrap_or_else(|| panic!("{place}: no file name"));
            let case = cases.last_mut().unwrap_or_else(|| panic!("{place}: a block before the first case"));
            case.files.push((name.to_owned(), String::new()));
            open = true;
        }
    }
    cases
}

impl Announced {
    fn new(path: &str, line: u32, name: &str) -> Self {
        let (rule, severity) = name.split_once(" (").unwrap_or((name, ""));
        let severity = Severity::ALL.into_iter().find(|it| severity == format!("{it})"));
        Self { path: path.to_owned(), line, rule: rule.to_owned(), severity }
    }

    fn is(&self, found: &Diagnostic, rules: &[Rule]) -> bool {
        let own = rules.iter().find(|rule| rule.name == self.rule).map(|rule| rule.severity);
        let lies_there = |place: &Place| {
            place.path == self.path && (place.start.line..=place.end.line).contains(&self.line)
        };
        self.rule == found.rule
            && self.severity.or(own) == Some(found.severity)
            && found.place.as_ref().is_some_and(lies_there)
    }
}

impl Case {
    fn announced(&self) -> Vec<Announced> {
        let mut announced = Vec::new();
        for (path, text) in &self.files {
            for (line, number) in text.lines().zip(1..) {
                let marks = ["-- finds: ", "// finds: ", "# finds: "];
                let names =
                    marks.iter().find_map(|mark| line.split_once(mark)).map_or("", |(_, names)| names);
                for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    announced.push(Announced::new(path, number, name));
                }
            }
        }
        announced
    }

    /// The program as a folder.
    fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in &self.files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// What the case announces and the run does not find, and the reverse; empty where they agree.
    fn faults(&self) -> Vec<String> {
        let folder = self.folder();
        let outcome = match check(&CheckRequest::new(folder.path())) {
            Ok(outcome) => outcome,
            Err(error) => return vec![format!("could not be judged: {error}")],
        };
        let rules = rule::builtin().unwrap();
        let mut open = self.announced();
        let mut faults = Vec::new();
        for found in outcome.report.diagnostics.iter().filter(|found| found.state == State::New) {
            if let Some(index) = open.iter().position(|mark| mark.is(found, &rules)) {
                open.remove(index);
            } else {
                let place = found.place.as_ref().map_or_else(|| "nowhere".to_owned(), Place::short);
                faults.push(format!(
                    "found at {place}: {} ({}): {}",
                    found.rule, found.severity, found.message
                ));
            }
        }
        faults.extend(
            open.iter().map(|mark| format!("not found at {}:{}: {}", mark.path, mark.line, mark.rule)),
        );
        faults
    }
}

#[test]
fn every_case_finds_what_it_announces_and_nothing_else() {
    let cases: Vec<Case> = pages().iter().flat_map(|path| cases(path)).collect();
    let mut report = String::new();
    let faults: Vec<Vec<String>> = cases.par_iter().map(Case::faults).collect();
    for (case, faults) in cases.iter().zip(faults).filter(|(_, faults)| !faults.is_empty()) {
        writeln!(report, "\ntests/rules/{}.md:{}: {}", case.page, case.line, case.title).unwrap();
        for fault in faults {
            writeln!(report, "    {fault}").unwrap();
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let rules: BTreeSet<String> = rule::builtin().unwrap().into_iter().map(|rule| rule.name).collect();
    let pages: BTreeSet<String> = pages().iter().map(|path| stem(path)).collect();
    assert_eq!(rules, pages);
}

#[test]
fn every_rule_has_a_case_that_fires_and_a_lookalike_that_is_silent() {
    for path in pages() {
        let name = stem(&path);
        let fires = |case: &Case| case.announced().iter().any(|mark| mark.rule == name);
        let (firing, silent): (Vec<Case>, Vec<Case>) = cases(&path).into_iter().partition(fires);
        assert!(!firing.is_empty(), "{name}: no case fires");
        assert!(!silent.is_empty(), "{name}: no case is silent");
    }
}

#[test]
fn every_rule_that_a_case_announces_is_one() {
    let rules: BTreeSet<String> = rule::builtin().unwrap().into_iter().map(|rule| rule.name).collect();
    for case in pages().iter().flat_map(|path| cases(path)) {
        for mark in case.announced() {
            assert!(rules.contains(&mark.rule), "tests/rules/{}.md:{}: {mark:?}", case.page, case.line);
        }
    }
}

#[test]
fn every_id_in_the_facts_of_a_case_leads_to_a_row() {
    let cases: Vec<Case> = pages().iter().flat_map(|path| cases(path)).collect();
    cases.par_iter().for_each(|case| {
        let folder = case.folder();
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
        assert!(lost.is_empty(), "tests/rules/{}.md:{}: {lost:?}", case.page, case.line);
    });
}

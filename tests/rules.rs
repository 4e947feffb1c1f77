//! The pages of the rules, `tests/rules/<name>.md`: small programs that say themselves what is to be found in them.
//!
//! A case is a heading of the second level and the blocks under it, each with its language and file name. A comment
//! `finds: <rule>` stands on a line that the finding covers. All rules run on all cases, so that what is found and not
//! announced is as wrong as what is announced and not found.

use planlint::rule;
use planlint::run::{CheckRequest, check};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A small program.
struct Case {
    page: String,
    title: String,
    line: usize,
    files: Vec<(String, String)>,
}

/// A rule and a line of a file where it must find something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Announced {
    path: String,
    line: u32,
    rule: String,
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

impl Case {
    fn announced(&self) -> Vec<Announced> {
        let mut announced = Vec::new();
        for (path, text) in &self.files {
            for (line, number) in text.lines().zip(1..) {
                let marks = ["-- finds: ", "// finds: ", "# finds: "];
                let names =
                    marks.iter().find_map(|mark| line.split_once(mark)).map_or("", |(_, names)| names);
                for rule in names.split(',').map(str::trim).filter(|rule| !rule.is_empty()) {
                    announced.push(Announced { path: path.clone(), line: number, rule: rule.to_owned() });
                }
            }
        }
        announced
    }

    /// What the case announces and the run does not find, and the reverse; empty where they agree.
    fn faults(&self) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in &self.files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let outcome = match check(&CheckRequest::new(folder.path())) {
            Ok(outcome) => outcome,
            Err(error) => return vec![format!("could not be judged: {error}")],
        };
        let mut open = self.announced();
        let mut faults = Vec::new();
        for found in &outcome.report.diagnostics {
            let covers = |mark: &Announced| {
                mark.rule == found.rule
                    && found.place.as_ref().is_some_and(|place| {
                        place.path == mark.path && (place.start.line..=place.end.line).contains(&mark.line)
                    })
            };
            if let Some(index) = open.iter().position(covers) {
                open.remove(index);
            } else {
                let place = found.place.as_ref().map_or_else(|| "nowhere".to_owned(), |place| place.short());
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

//! The example projects: each says in its sources what is to be found there, by `finds: <rule>` on a line that the
//! finding covers, and nothing else is found. The README shows one of them, and is held to it.

use planlint::run::{CheckRequest, check};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What the sources of a project announce: path, line, rule.
type Announced = Vec<(String, u32, String)>;

fn announced(root: &Path, folder: &Path, found: &mut Announced) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            announced(root, &path, found);
            continue;
        }
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        for (line, number) in fs::read_to_string(&path).unwrap().lines().zip(1..) {
            let rule = line.split_once("-- finds: ").or_else(|| line.split_once("// finds: "));
            found.extend(rule.map(|(_, rule)| (name.clone(), number, rule.trim().to_owned())));
        }
    }
}

/// What a project announces and the run does not find, and the reverse; empty where they agree.
fn faults(project: &Path) -> String {
    let mut open = Announced::new();
    announced(project, project, &mut open);
    let outcome = check(&CheckRequest::new(project)).unwrap();
    let mut faults = String::new();
    for found in &outcome.report.diagnostics {
        let place = found.place.as_ref();
        let covers = |(path, line, rule): &(String, u32, String)| {
            *rule == found.rule
                && place.is_some_and(|place| {
                    place.path == *path && (place.start.line..=place.end.line).contains(line)
                })
        };
        if let Some(index) = open.iter().position(covers) {
            open.remove(index);
        } else {
            let place = place.map_or_else(|| "nowhere".to_owned(), |place| place.short());
            writeln!(faults, "    found at {place}: {}: {}", found.rule, found.message).unwrap();
        }
    }
    for (path, line, rule) in open {
        writeln!(faults, "    not found at {path}:{line}: {rule}").unwrap();
    }
    faults
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
    trycmd::TestCases::new().env("LC_ALL", "C.UTF-8").case("README.md");
}

//! The example `chainstate` with releases: an index was added where a new database is created, and the databases of earlier
//! releases lack it. Its older text is that of today without the index.

use super::checked;
use crate::repository::Repository;
use planlint::report::Diagnostic;
use planlint::run::Outcome;
use std::fs;
use std::path::Path;

const SEED: &str = "sightings_by_height";
const FOUND: &str = "missing-index-migration: a database made by v0.1 to v0.2 lacks the index `sightings_by_height`, by which \
                     a statement finds its rows: there it reads more and more of `sightings`";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Writes the files of a folder into a repository.
fn copy(folder: &Path, from: &Path, to: &Repository) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            copy(&path, from, to);
        } else {
            to.write(path.strip_prefix(from).unwrap().to_str().unwrap(), &fs::read_to_string(&path).unwrap());
        }
    }
}

fn all(outcome: &Outcome) -> Vec<String> {
    let line = |one: &Diagnostic| format!("{}: {}", one.rule, one.message);
    let mut all: Vec<String> = outcome.report.diagnostics.iter().map(line).collect();
    all.sort();
    all
}

#[test]
fn the_index_that_the_example_forgot_is_found_where_it_has_releases_and_nothing_else() {
    let example = root().join("examples/chainstate");
    let repository = Repository::folder();
    copy(&example, &example, &repository);
    let mut expected = all(&checked(repository.path()));
    let text = fs::read_to_string(example.join("src/peers.rs")).unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.contains(SEED)).collect();
    assert_eq!(without.len() + 1, text.lines().count());
    repository.git(&["init", "--quiet", "."]);
    repository.write("src/peers.rs", &without.join("\n"));
    repository.commit();
    repository.git(&["tag", "v0.1"]);
    repository.write("NEWS", "It dials more.");
    repository.commit();
    repository.git(&["tag", "v0.2"]);
    repository.write("src/peers.rs", &text);
    repository.commit();
    repository.git(&["tag", "v0.3"]);
    expected.push(FOUND.to_owned());
    expected.sort();
    assert_eq!(all(&checked(repository.path())), expected);
}

#[test]
fn the_story_of_it_shows_what_is_found() {
    let story = fs::read_to_string(root().join("docs/seeds.md")).unwrap();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = FOUND.split_once(": ").unwrap().1;
    assert!(words(&story).contains(&words(message)), "docs/seeds.md does not say: {message}");
}

//! Clones that lack a part of what was released. Nothing is fetched, and nothing fails.

use super::{INDEX, NONE, checked, found, lacking, released, store};
use crate::repository::Repository;
use planlint::run::Outcome;
use std::fs;
use std::process::Command;

/// A store that lacks an index in the databases of two releases, each of which had a text of its own.
fn origin() -> Repository {
    let repository = released("src/db.rs", &["v1.0"]);
    repository.write("src/db.rs", &format!("{}\n// Stable.\n", store("")));
    repository.commit();
    repository.git(&["tag", "v1.1"]);
    repository.write("src/db.rs", &store(INDEX));
    repository.commit();
    repository
}

fn clone(origin: &Repository, options: &[&str]) -> Repository {
    let clone = Repository::folder();
    let from = format!("file://{}", origin.path().display());
    let mut arguments = vec!["clone", "--quiet"];
    arguments.extend(options);
    arguments.extend([from.as_str(), "."]);
    clone.git(&arguments);
    clone
}

/// What is said of releases and clones.
fn said(outcome: &Outcome) -> Vec<&str> {
    let guesses = outcome.report.guesses.iter().map(String::as_str);
    guesses.filter(|one| one.contains("release") || one.contains("clone")).collect()
}

#[test]
fn a_shallow_clone_says_what_it_does_not_judge() {
    let shallow = clone(&origin(), &["--depth", "1"]);
    let outcome = checked(shallow.path());
    assert_eq!(found(&outcome), NONE);
    let sentence =
        "databases of older releases are not judged: this clone is shallow; fetch the tags with it";
    assert_eq!(said(&outcome), [sentence]);
}

#[test]
fn a_shallow_clone_with_its_tags_is_enough() {
    let origin = origin();
    let shallow = clone(&origin, &["--depth", "1"]);
    shallow.git(&["fetch", "--quiet", "--depth", "1", "origin", "refs/tags/*:refs/tags/*"]);
    let outcome = checked(shallow.path());
    assert_eq!(found(&outcome), lacking("v1.0 to v1.1"));
    assert_eq!(said(&outcome), NONE);
}

#[test]
fn a_clone_without_older_contents_says_which_releases_it_can_not_judge() {
    let origin = origin();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = clone(&origin, &["--filter=blob:none"]);
    // Old versions of git fetch what they are told not to.
    fs::remove_dir_all(origin.path().join(".git")).unwrap();
    let outcome = checked(partial.path());
    assert_eq!(found(&outcome), NONE);
    assert_eq!(said(&outcome), ["database main: files that declare it are not in this clone in v1.1, v1.0"]);
}

#[test]
fn a_clone_without_older_trees_fails_no_more() {
    let origin = origin();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = clone(&origin, &["--filter=tree:0"]);
    fs::remove_dir_all(origin.path().join(".git")).unwrap();
    let outcome = checked(partial.path());
    assert_eq!(found(&outcome), NONE);
    assert_eq!(said(&outcome).len(), 1, "{:?}", said(&outcome));
}

#[test]
fn a_content_that_is_lost_leaves_the_other_releases() {
    let repository = origin();
    let name =
        Command::new("git").args(["rev-parse", "v1.0:src/db.rs"]).current_dir(repository.path()).output();
    let name = String::from_utf8(name.unwrap().stdout).unwrap();
    let (folder, file) = name.trim().split_at(2);
    fs::remove_file(repository.path().join(".git/objects").join(folder).join(file)).unwrap();
    let outcome = checked(repository.path());
    assert_eq!(found(&outcome), lacking("v1.1"));
    assert_eq!(said(&outcome), ["database main: files that declare it are not in this clone in v1.0"]);
}

#[test]
fn where_git_fails_the_rest_is_judged() {
    let repository = origin();
    fs::write(repository.path().join(".git/config"), "[core\n").unwrap();
    let outcome = checked(repository.path());
    assert_eq!(found(&outcome), NONE);
    assert!(outcome.report.statements.planned > 0);
    let sentence = "databases of older releases are not judged: git rev-parse failed: bad config line 1 in file .git/config";
    assert_eq!(said(&outcome), [sentence]);
}

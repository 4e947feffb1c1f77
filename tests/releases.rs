//! What becomes of the databases of earlier releases, in repositories that are made here with git.

#![cfg(test)]

#[path = "releases/again.rs"]
mod again;
#[path = "releases/chainstate.rs"]
mod chainstate;
#[path = "releases/clones.rs"]
mod clones;
#[path = "releases/moving.rs"]
mod moving;
mod repository;

use planlint::report::json;
use planlint::run::{Change, CheckRequest, Outcome, check};
use repository::Repository;
use std::path::Path;

const INDEX: &str = "    \"CREATE INDEX parcels_by_barcode ON parcels (barcode)\",\n";

/// The end of what is said where it lacks.
const LACKS: &str = "lacks the index `parcels_by_barcode`, by which a statement finds its rows: there it reads more and more of `parcels`";

/// A store of parcels that makes its tables in a new database; with `index`, an index as well.
fn store(index: &str) -> String {
    format!("{}{}", schema(index), PROGRAM)
}

fn schema(index: &str) -> String {
    let table =
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, barcode TEXT NOT NULL, weight INTEGER NOT NULL)";
    format!("pub const INITIAL_SCHEMA: &[&str] = &[\n    \"{table}\",\n{index}];\n")
}

const PROGRAM: &str = r#"
pub fn open(path: &str) -> Result<Connection> {
    let is_new = !Path::new(path).exists();
    let db = Connection::open(path)?;
    if is_new {
        for sql in INITIAL_SCHEMA {
            db.execute_batch(sql)?;
        }
    }
    Ok(db)
}

pub fn take(db: &Connection, barcode: &str, weight: i64) -> Result<usize> {
    db.execute("INSERT INTO parcels (barcode, weight) VALUES (?1, ?2)", params![barcode, weight])
}

pub fn weight(db: &Connection, barcode: &str) -> Result<i64> {
    db.query_row("SELECT weight FROM parcels WHERE barcode = ?1", [barcode], |row| row.get(0))
}
"#;

/// A repository with the store as it was, released under these names, and no commit since.
fn released(path: &str, tags: &[&str]) -> Repository {
    let repository = Repository::empty();
    repository.write(path, &store(""));
    for tag in tags {
        repository.write("NEWS", tag);
        repository.commit();
        repository.git(&["tag", tag]);
    }
    repository
}

fn checked(root: &Path) -> Outcome {
    check(&CheckRequest::new(root)).unwrap()
}

/// What is found of databases of earlier releases: rules and messages.
fn found(outcome: &Outcome) -> Vec<String> {
    let rules = ["missing-index-migration", "schema-drift", "plan-regression", "edited-migration"];
    let all = outcome.report.diagnostics.iter().filter(|one| rules.contains(&one.rule.as_str()));
    all.map(|one| format!("{}: {}", one.rule, one.message)).collect()
}

/// What is found where databases made by these releases lack the index.
fn lacking(releases: &str) -> Vec<String> {
    vec![format!("missing-index-migration: a database made by {releases} {LACKS}")]
}

const NONE: [&str; 0] = [];

#[test]
fn an_index_of_new_databases_alone_is_found_with_the_releases_that_lack_it() {
    let repository = released("src/db.rs", &["v1.0", "v1.1"]);
    assert_eq!(found(&checked(repository.path())), NONE);
    repository.write("src/db.rs", &store(INDEX));
    let outcome = checked(repository.path());
    assert_eq!(found(&outcome), lacking("v1.0 to v1.1"), "before it is committed");
    assert!(!outcome.passes());
    repository.commit();
    repository.git(&["tag", "v1.2"]);
    let outcome = checked(repository.path());
    assert_eq!(found(&outcome), lacking("v1.0 to v1.1"), "and after its release");
    assert_eq!(outcome.report.diagnostics.len(), 1);
    let place = outcome.report.diagnostics.first().and_then(|one| one.place.as_ref()).unwrap();
    assert_eq!((place.path.as_str(), place.start.line), ("src/db.rs", 3));
}

#[test]
fn an_index_that_every_open_makes_is_lacked_by_none() {
    let repository = released("src/db.rs", &["v1.0", "v1.1"]);
    let at_open = "    db.execute_batch(\"CREATE INDEX IF NOT EXISTS parcels_by_barcode ON parcels (barcode)\")?;\n    Ok(db)\n";
    repository.write("src/db.rs", &store(INDEX).replace("    Ok(db)\n", at_open));
    assert_eq!(found(&checked(repository.path())), NONE);
    repository.write("src/db.rs", &store("").replace("    Ok(db)\n", at_open));
    assert_eq!(found(&checked(repository.path())), NONE, "nor where nothing else makes it");
}

#[test]
fn an_annotated_tag_is_a_release_as_a_lightweight_one_is() {
    let repository = released("src/db.rs", &["v1.0"]);
    repository.write("NEWS", "v1.1");
    repository.commit();
    repository.git(&["tag", "--annotate", "--message", "a release", "v1.1"]);
    repository.write("src/db.rs", &store(INDEX));
    repository.commit();
    assert_eq!(found(&checked(repository.path())), lacking("v1.0 to v1.1"));
    repository.git(&["tag", "--delete", "v1.0"]);
    assert_eq!(found(&checked(repository.path())), lacking("v1.1"));
}

#[test]
fn a_tag_of_no_commit_is_no_release() {
    let repository = released("src/db.rs", &["v1.0"]);
    repository.git(&["tag", "v0.8", "v1.0:src/db.rs"]);
    repository.git(&["tag", "--annotate", "--message", "a tree", "v0.9", "v1.0^{tree}"]);
    repository.write("src/db.rs", &store(INDEX));
    assert_eq!(found(&checked(repository.path())), lacking("v1.0"));
}

#[test]
fn a_tag_that_is_younger_than_head_does_not_count() {
    let repository = released("src/db.rs", &["v1.0"]);
    repository.write("src/db.rs", &store(INDEX));
    repository.commit();
    repository.git(&["branch", "work"]);
    repository.write("src/db.rs", &store(""));
    repository.commit();
    repository.git(&["tag", "v2.0"]);
    assert_eq!(found(&checked(repository.path())), NONE, "it is not declared any more");
    repository.git(&["checkout", "--quiet", "work"]);
    assert_eq!(found(&checked(repository.path())), lacking("v1.0"));
}

#[test]
fn the_configuration_says_which_tags_are_releases() {
    let repository = released("src/db.rs", &["v1.0", "v2.0", "beta", "v2.1"]);
    repository.write("src/db.rs", &store(INDEX));
    let named = "[[database]]\nname = \"main\"\n";
    let described = "[[database]]\nname = \"store\"\ncreate = [\"src/db.rs::INITIAL_SCHEMA\"]\n";
    for database in [named, described] {
        let with = |releases: &str| {
            repository.write("planlint.toml", &format!("{database}{releases}\n"));
            found(&checked(repository.path()))
        };
        assert_eq!(with(""), lacking("v1.0 to v2.1"), "{database}");
        assert_eq!(with("releases = [\"v2.*\"]"), lacking("v2.0 to v2.1"), "{database}");
        assert_eq!(with("releases = [\"beta\"]"), lacking("beta"), "{database}");
        assert_eq!(with("releases = []"), NONE, "{database}");
        assert_eq!(with("releases = [\"w*\"]"), NONE, "{database}");
    }
}

#[test]
fn a_tree_below_the_top_of_its_repository_has_its_releases() {
    let repository = released("apps/store/src/db.rs", &["v1.0"]);
    repository
        .write("src/db.rs", "pub const OTHER: &str = \"CREATE TABLE shelves (id INTEGER PRIMARY KEY)\";\n");
    repository.write("apps/store/src/db.rs", &store(INDEX));
    assert_eq!(found(&checked(&repository.path().join("apps/store"))), lacking("v1.0"));
}

#[test]
fn a_change_brings_what_older_databases_lack_and_is_told_no_more_than_that() {
    let repository = released("src/db.rs", &["v1.0"]);
    let of = |change: Change| {
        let request = CheckRequest { change: Some(change), ..CheckRequest::new(repository.path()) };
        found(&check(&request).unwrap())
    };
    let since = |revision: &str| of(Change::Since(revision.to_owned()));
    repository.write("src/db.rs", &store(INDEX));
    assert_eq!((of(Change::Staged), since("HEAD")), (Vec::new(), lacking("v1.0")));
    repository.git(&["add", "--all"]);
    repository.write("src/db.rs", &store(""));
    assert_eq!((of(Change::Staged), since("HEAD")), (lacking("v1.0"), Vec::new()));
    repository.write("src/db.rs", &store(INDEX));
    repository.commit();
    repository.write("src/db.rs", &format!("{}\npub fn more() -> u32 {{\n    7\n}}\n", store(INDEX)));
    assert_eq!((since("HEAD"), since("v1.0")), (Vec::new(), lacking("v1.0")));
}

#[test]
fn without_a_repository_nothing_is_said_of_releases() {
    let folder = Repository::folder();
    folder.write("src/db.rs", &store(INDEX));
    let outcome = checked(folder.path());
    assert_eq!(found(&outcome), NONE);
    let guesses = &outcome.report.guesses;
    assert!(!guesses.iter().any(|one| one.contains("release") || one.contains("clone")), "{guesses:?}");
}

#[test]
fn before_the_first_commit_there_are_no_releases() {
    let repository = Repository::empty();
    repository.write("src/db.rs", &store(INDEX));
    assert_eq!(found(&checked(repository.path())), NONE);
}

#[test]
fn each_run_says_the_same() {
    let tags: Vec<String> = (0..12).map(|number| format!("v1.{number}")).collect();
    let repository = released("src/db.rs", &tags.iter().map(String::as_str).collect::<Vec<_>>());
    repository.write("more/side.rs", &store(INDEX).replace("parcels", "letters").replace("INITIAL", "SIDE"));
    repository.write("src/db.rs", &store(INDEX));
    let shown = || {
        let outcome = checked(repository.path());
        format!("{}{}{outcome}", json::render(&outcome.report), outcome.report.guesses.join("\n"))
    };
    let first = shown();
    assert!(first.contains("v1.0 to v1.11"), "{first}");
    for _ in 0..5 {
        assert_eq!(shown(), first);
    }
}

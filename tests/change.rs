//! What a change alone brings, in repositories that are made here with git.

#![cfg(test)]

mod repository;
#[path = "repository/shop.rs"]
mod small;

use planlint::report::{Diagnostic, State};
use planlint::run::{Change, CheckRequest, Outcome, check, write_baseline};
use repository::Repository;
use small::{PROGRAM, SCHEMA, SLOW, shop_to_commit};
use std::fs;
use std::path::Path;

/// A small shop with one commit and no findings.
fn shop() -> Repository {
    let repository = shop_to_commit();
    repository.commit();
    repository
}

trait Checked {
    fn check(&self, change: Change) -> Outcome;

    fn staged(&self) -> Vec<String> {
        found(&self.check(Change::Staged))
    }

    fn since(&self, revision: &str) -> Vec<String> {
        found(&self.check(Change::Since(revision.to_owned())))
    }
}

impl Checked for Repository {
    fn check(&self, change: Change) -> Outcome {
        let request = CheckRequest { change: Some(change), ..CheckRequest::new(self.path()) };
        check(&request).unwrap()
    }
}

/// `rule path function`, of each finding.
fn found(outcome: &Outcome) -> Vec<String> {
    let line = |one: &Diagnostic| {
        let path = one.place.as_ref().map_or("-", |place| place.path.as_str());
        format!("{} {path} {}", one.rule, one.function.as_deref().unwrap_or("-"))
    };
    outcome.report.diagnostics.iter().map(line).collect()
}

const NONE: [&str; 0] = [];
const FOUND: [&str; 1] = ["growing-table-scan src/orders.rs named"];

#[test]
fn what_is_staged_counts_and_what_only_lies_in_the_folder_does_not() {
    let repository = shop();
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    assert_eq!(repository.staged(), NONE);
    assert_eq!(repository.since("HEAD"), FOUND);
    repository.git(&["add", "src/orders.rs"]);
    repository.write("src/orders.rs", PROGRAM);
    assert_eq!(repository.staged(), FOUND);
    assert_eq!(repository.since("HEAD"), NONE);
}

#[test]
fn a_file_that_git_does_not_know_yet_is_part_of_the_folder_and_not_of_the_next_commit() {
    let repository = shop();
    repository.write("src/more.rs", SLOW);
    assert_eq!(repository.since("HEAD"), ["growing-table-scan src/more.rs named"]);
    repository.write("README.md", "A shop.");
    repository.git(&["add", "README.md"]);
    assert_eq!(repository.staged(), NONE);
}

#[test]
fn a_change_without_code_is_not_judged() {
    let repository = shop();
    repository.write("README.md", "A shop.");
    repository.write("src/orders.rs", &PROGRAM.replace("pub fn of", "/// Any of them.\npub fn of"));
    repository.write("tests/shop.rs", "#[test]\nfn it_opens() {\n    shop::open(\"SELECT 1\");\n}\n");
    let tests = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn it_adds() {\n        assert_eq!(1 + 1, 2);\n    }\n}\n";
    repository.write("src/sum.rs", tests);
    repository.commit();
    repository.write("src/sum.rs", &tests.replace("1 + 1, 2", "2 + 2, 4"));
    repository.git(&["add", "--all"]);
    let outcome = repository.check(Change::Staged);
    assert_eq!(outcome.report.statements.found, 0, "the tree was judged");
    assert!(repository.check(Change::Since("HEAD~1".to_owned())).report.statements.found > 0, "a file came");
    assert!(repository.check(Change::Since("HEAD".to_owned())).report.databases.is_empty());
}

#[test]
fn an_index_that_goes_is_found_where_it_was_used() {
    let repository = shop();
    repository.write("migrations/1_orders.sql", &SCHEMA.replace("CREATE INDEX", "-- CREATE INDEX"));
    repository.git(&["add", "--all"]);
    assert_eq!(repository.staged(), ["growing-table-scan src/orders.rs of"]);
}

#[test]
fn an_index_that_is_dropped_is_found_where_that_is_said() {
    let repository = shop();
    repository.write("migrations/2_smaller.sql", "DROP INDEX orders_by_customer;\n");
    repository.git(&["add", "--all"]);
    assert_eq!(repository.staged(), ["needed-index-dropped migrations/2_smaller.sql -"]);
}

#[test]
fn a_constant_that_changes_counts_where_its_text_is_used() {
    let repository = shop();
    let by_name = r#"use crate::columns::KEY;

pub fn first(db: &Connection, key: i64) -> Result<i64> {
    db.query_row(&format!("SELECT id FROM orders WHERE {KEY} = ?1"), params![key], |row| row.get(0))
}
"#;
    repository.write("src/first.rs", by_name);
    repository.write("src/columns.rs", "pub const KEY: &str = \"customer\";\n");
    repository.commit();
    repository.write("src/columns.rs", "pub const KEY: &str = \"reference\";\n");
    assert_eq!(repository.since("HEAD"), ["growing-table-scan src/first.rs first"]);
}

#[test]
fn what_was_there_before_is_counted_and_not_shown() {
    let repository = shop();
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    repository.commit();
    let other = SLOW.replace("named(", "held(").replace("SELECT id", "SELECT customer");
    repository.write("src/orders.rs", &format!("{PROGRAM}{other}{SLOW}"));
    let outcome = repository.check(Change::Since("HEAD".to_owned()));
    assert_eq!(found(&outcome), ["growing-table-scan src/orders.rs held"]);
    assert_eq!(outcome.report.change.unwrap().before, Some(1));
    // Moved to another file and function it is the same; a second one like it is not.
    repository.write("src/orders.rs", PROGRAM);
    repository.write("src/moved.rs", &SLOW.replace("named(", "moved("));
    assert_eq!(repository.since("HEAD"), NONE);
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    assert_eq!(repository.since("HEAD"), ["growing-table-scan src/moved.rs moved"]);
}

#[test]
fn a_change_is_compared_with_where_it_left_the_line_of_history() {
    let repository = shop();
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    repository.commit();
    repository.git(&["branch", "main-line"]);
    repository.git(&["checkout", "--quiet", "-b", "work"]);
    repository.git(&["checkout", "--quiet", "main-line"]);
    repository.write("src/orders.rs", PROGRAM);
    repository.commit();
    repository.git(&["checkout", "--quiet", "work"]);
    repository.write("README.md", "A shop.");
    repository.commit();
    assert_eq!(repository.since("main-line"), NONE, "it was mended elsewhere, and not brought here");
}

#[test]
fn before_the_first_commit_everything_is_brought() {
    let repository = Repository::empty();
    repository.write("migrations/1_orders.sql", SCHEMA);
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    assert_eq!(repository.staged(), NONE);
    repository.git(&["add", "--all"]);
    assert_eq!(repository.staged(), FOUND);
}

#[test]
fn a_folder_below_the_top_of_the_repository_is_a_tree_of_its_own() {
    let repository = shop();
    repository.write("shop/planlint.toml", "");
    repository.write("shop/migrations/1_orders.sql", SCHEMA);
    repository.write("shop/src/orders.rs", PROGRAM);
    repository.commit();
    repository.write("shop/src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    repository.git(&["add", "--all"]);
    let root = repository.path().join("shop");
    let request = CheckRequest { change: Some(Change::Staged), ..CheckRequest::new(root) };
    assert_eq!(found(&check(&request).unwrap()), FOUND);
}

#[test]
fn a_database_that_is_configured_now_and_was_not_there_before_is_no_error() {
    let repository = shop();
    repository.write(
        "planlint.toml",
        "[[database]]\nname = \"shop\"\nmigrations = [\"migrations/*.sql\"]\n\n\
         [[database]]\nname = \"stock\"\ncreate = [\"src/stock.rs::create\"]\n",
    );
    let stock = r#"
pub fn create(db: &Connection) -> Result<()> {
    db.execute_batch("CREATE TABLE IF NOT EXISTS shelf (item INTEGER PRIMARY KEY, place TEXT)")
}
"#;
    repository.write("src/stock.rs", stock);
    assert_eq!(repository.since("HEAD"), NONE);
}

#[test]
fn what_git_can_not_answer_is_an_error_that_says_so() {
    let repository = shop();
    let failed = |revision: &str, root: &Path| {
        let change = Some(Change::Since(revision.to_owned()));
        match check(&CheckRequest { change, ..CheckRequest::new(root) }) {
            Ok(_) => panic!("{revision} was taken"),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(failed("nowhere", repository.path()), "git knows no commit `nowhere` here");
    assert_eq!(failed("--all", repository.path()), "git knows no commit `--all` here");
    let bare = tempfile::tempdir().unwrap();
    assert!(failed("HEAD", bare.path()).ends_with("is not in a git repository"));
}

#[test]
fn a_twin_of_what_is_in_the_baseline_is_new() {
    let repository = shop();
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    write_baseline(&CheckRequest::new(repository.path())).unwrap();
    repository.commit();
    repository.write("src/again.rs", &SLOW.replace("named(", "again("));
    let outcome = repository.check(Change::Since("HEAD".to_owned()));
    let states: Vec<State> = outcome.report.diagnostics.iter().map(|one| one.state).collect();
    assert!(states.contains(&State::New) && states.contains(&State::Baseline), "{states:?}");
    assert!(!outcome.passes());
}

#[test]
fn a_twin_of_what_is_newly_accepted_is_new() {
    let repository = shop();
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    repository.commit();
    let accepted = SLOW.replace("    db.", "    // planlint: allow(growing-table-scan) by hand\n    db.");
    repository.write("src/orders.rs", &format!("{PROGRAM}{accepted}"));
    assert!(repository.check(Change::Since("HEAD".to_owned())).passes());
    repository.write("src/again.rs", &SLOW.replace("named(", "again("));
    assert!(!repository.check(Change::Since("HEAD".to_owned())).passes());
    repository.commit();
    // What was accepted and is no longer is brought by whoever takes the comment away.
    repository.write("src/again.rs", "");
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    repository.git(&["rm", "--quiet", "--cached", "src/again.rs"]);
    assert!(repository.check(Change::Since("HEAD~1".to_owned())).passes());
}

#[test]
fn a_file_that_a_walk_does_not_list_is_on_neither_side() {
    for (path, ignored) in [(".old/x.rs", ""), ("old/x.rs", "old/\n")] {
        let repository = shop();
        repository.write(path, SLOW);
        repository.write(".gitignore", ignored);
        repository.git(&["add", "--all", "--force"]);
        repository.commit();
        fs::remove_file(repository.path().join(path)).unwrap();
        repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
        assert_eq!(repository.since("HEAD"), FOUND, "{path}");
    }
}

#[test]
fn a_part_of_a_schema_that_is_new_leaves_the_rest_as_it_was() {
    let repository = shop();
    let configured = "[[database]]\nname = \"shop\"\nmigrations = [\"migrations/*.sql\"]\n";
    repository.write("planlint.toml", configured);
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    repository.commit();
    repository.write("planlint.toml", &configured.replace("*.sql\"", "*.sql\", \"more/*.sql\""));
    repository.write("more/2_shelf.sql", "CREATE TABLE shelf (id INTEGER PRIMARY KEY);\n");
    assert_eq!(repository.since("HEAD"), NONE);
}

#[test]
fn where_history_is_cut_off_is_an_error() {
    let repository = shop();
    for text in ["A shop.", "A big shop."] {
        repository.git(&["checkout", "--quiet", "-b", if text == "A shop." { "one" } else { "two" }, "HEAD"]);
        repository.write("README.md", text);
        repository.commit();
    }
    let shallow = Repository::folder();
    let from = format!("file://{}", repository.path().display());
    shallow.git(&["clone", "--quiet", "--depth", "1", "--no-single-branch", &from, "."]);
    let change = Some(Change::Since("origin/one".to_owned()));
    let failed = check(&CheckRequest { change, ..CheckRequest::new(shallow.path()) });
    let said = failed.err().map_or_else(String::new, |error| error.to_string());
    assert!(said.starts_with("this clone is shallow"), "{said}");
}

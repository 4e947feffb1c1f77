//! The lock of plans: what is in it, when it is stale, and what a change does to plans, in repositories that are made here
//! with git.

#![cfg(test)]

mod repository;
#[path = "repository/shop.rs"]
mod small;

use planlint::lock::{self, Verdict};
use planlint::report::plans::{PlanDiff, Told, render};
use planlint::report::{json, markdown};
use planlint::run::{Against, CheckRequest, RunError, check_plans, diff_plans, plans, write_plans};
use repository::Repository;
use small::{PROGRAM, SCHEMA, SLOW, shop_to_commit};
use std::fs;
use std::path::Path;

/// A small shop with one commit and a lock.
fn shop() -> Repository {
    let repository = shop_to_commit();
    repository.write_lock();
    repository.commit();
    repository
}

trait Locked {
    fn request(&self) -> CheckRequest<'_>;
    fn root(&self) -> &Path;

    fn write_lock(&self) -> String {
        write_plans(&self.request()).unwrap();
        fs::read_to_string(self.root().join(lock::FILE_NAME)).unwrap()
    }

    fn stale(&self) -> PlanDiff {
        check_plans(&self.request()).unwrap()
    }

    fn since(&self, revision: &str) -> PlanDiff {
        diff_plans(&self.request(), &Against::Revision(revision.to_owned())).unwrap()
    }

    fn broken(&self) -> String {
        check_plans(&self.request()).unwrap_err().to_string()
    }
}

impl Locked for Repository {
    fn request(&self) -> CheckRequest<'_> {
        CheckRequest::new(self.path())
    }

    fn root(&self) -> &Path {
        self.path()
    }
}

/// `word statement`, of each that is told of.
fn told(diff: &PlanDiff) -> Vec<String> {
    diff.told().map(|one| format!("{} {}", one.word(), one.entry.key.statement)).collect()
}

const OF: &str = "select id from orders where customer = ?";
const NAMED: &str = "select id from orders where reference = ?";

#[test]
fn a_lock_has_a_block_for_each_statement() {
    let expected = "\
# How SQLite runs each statement of this program, and how the cost grows with the tables.
# `planlint plans --write` writes it; after a conflict, write it anew.
version: 1

statement: insert into orders(customer, reference) values (?, ?)
database: main
in: src/orders.rs::place
tables: orders
growth: constant
plan: -

statement: select id from orders where customer = ?
database: main
in: src/orders.rs::of
tables: orders
growth: constant
plan:
  SEARCH orders USING COVERING INDEX orders_by_customer (customer=?)
";
    assert_eq!(shop().write_lock(), expected);
}

#[test]
fn a_lock_is_the_same_whatever_the_threads_and_read_as_it_was_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/chainstate");
    let text = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let listed = pool.install(|| plans(&CheckRequest::new(&root)).unwrap());
        let entries: Vec<lock::Entry> = listed.plans.into_iter().map(|one| one.entry).collect();
        lock::write(&entries)
    };
    let first = text(1);
    assert!(first.len() > 5000 && !first.contains(env!("CARGO_MANIFEST_DIR")));
    assert_eq!(first, text(4));
    assert_eq!(lock::write(&lock::read("it", &first).unwrap()), first);
    assert_eq!(lock::write(&lock::read("it", &first.replace('\n', "\r\n")).unwrap()), first);
}

#[test]
fn code_that_moves_or_is_formatted_anew_leaves_a_lock_as_it_is() {
    let repository = shop();
    let before = repository.write_lock();
    let moved = PROGRAM
        .replace("pub fn of", "/// A comment.\n\npub fn of")
        .replace("SELECT id", "SELECT  id -- all\n");
    repository.write("src/orders.rs", &moved);
    assert_eq!(repository.write_lock(), before);
    // Another file is another line, and does not make it stale.
    repository.git(&["mv", "src/orders.rs", "src/sales.rs"]);
    assert!(!repository.stale().is_stale());
    let after = repository.write_lock();
    let differ = before.lines().zip(after.lines()).filter(|(a, b)| a != b).count();
    assert_eq!((differ, before.lines().count()), (2, after.lines().count()));
}

#[test]
fn an_index_that_goes_makes_a_lock_stale_and_is_told_with_its_cure() {
    let repository = shop();
    assert!(!repository.stale().is_stale());
    repository.write("migrations/2_smaller.sql", "DROP INDEX orders_by_customer;\n");
    let stale = repository.stale();
    assert!(stale.is_stale());
    assert_eq!(told(&stale), [format!("worse {OF}")]);
    let since = repository.since("HEAD");
    assert_eq!(told(&since), [format!("worse {OF}")]);
    let [Told { change: Some((verdict, _, reasons)), cures, places, .. }] = since.changes.as_slice() else {
        panic!("{since:?}");
    };
    assert_eq!((*verdict, reasons.as_slice()), (Verdict::Worse, &["orders is read in full".to_owned()][..]));
    assert_eq!(places, &["src/orders.rs:8"]);
    assert_eq!(cures[0].sql, "CREATE INDEX orders_customer ON orders (customer)");
    let text = render(&since, 1_000);
    assert!(
        text.contains("    - SEARCH orders USING COVERING INDEX") && text.contains("    + SCAN orders"),
        "{text}"
    );
    assert!(text.contains("growth: constant, then linear"), "{text}");
    repository.git(&["add", "--all"]);
    repository.commit();
    repository.write("migrations/3_back.sql", "CREATE INDEX again ON orders (customer);\n");
    assert_eq!(told(&repository.since("HEAD")), [format!("better {OF}")]);
}

#[test]
fn what_changes_no_plan_is_quiet() {
    let repository = shop();
    repository.write("README.md", "A shop.");
    repository.write("src/orders.rs", &format!("// Orders.\n{PROGRAM}"));
    let more = "\npub fn last(db: &Connection) -> Result<i64> {\n    \
        db.query_row(\"SELECT max(id) FROM orders\", [], |row| row.get(0))\n}\n";
    assert_eq!(repository.since("HEAD").headline(), "no plan changed");
    repository.write("src/more.rs", more);
    let since = repository.since("HEAD");
    assert_eq!((told(&since), since.headline().as_str()), (vec![], "no plan changed; statements: 1 added"));
    assert_eq!(markdown::plans::render(&since), "");
    assert!(repository.stale().is_stale(), "a lock has all statements");
}

#[test]
fn of_what_is_added_what_is_bad_is_told() {
    let repository = shop();
    repository.write("src/orders.rs", &format!("{PROGRAM}{SLOW}"));
    repository.write("src/odd.rs", &SLOW.replace("reference = ?1", "gone = ?1"));
    let since = repository.since("HEAD");
    assert_eq!(told(&since), [format!("new {}", NAMED.replace("reference", "gone")), format!("new {NAMED}")]);
    assert_eq!(since.headline(), "no plan changed; statements: 2 added (2 of them bad)");
    let text = markdown::plans::render(&since);
    assert!(text.contains("CREATE INDEX orders_reference ON orders (reference)"), "{text}");
    assert!(text.contains("no such column: gone"), "{text}");
    let parsed: serde_json::Value = serde_json::from_str(&json::render_plans(&since)).unwrap();
    assert_eq!(parsed["counts"]["added"], 2);
    assert_eq!(parsed["statements"][1]["after"]["class"], "linear");
    assert_eq!(parsed["statements"][0]["after"]["refused"], "no such column: gone");
}

#[test]
fn a_statement_that_is_written_anew_in_its_function_is_the_same_one() {
    let repository = shop();
    repository.write("src/orders.rs", &PROGRAM.replace("SELECT id FROM", "SELECT id, customer FROM"));
    let since = repository.since("HEAD");
    assert_eq!(since.headline(), "no plan changed; statements: 1 rewritten");
    let text = render(&since, 1_000);
    assert!(text.contains("\nrewritten: src/orders.rs:8 ") && text.contains("\n  was: "), "{text}");
    repository.write("src/orders.rs", &PROGRAM.replace("customer = ?1\"", "customer + 0 = ?1\""));
    let since = repository.since("HEAD");
    assert_eq!(told(&since), [format!("worse {}", OF.replace("customer", "customer + 0"))]);
    assert_eq!(since.changes[0].old_text(), Some(OF));
}

#[test]
fn what_was_not_changed_is_counted_all_the_same() {
    let repository = shop();
    let since = repository.since("HEAD");
    assert!(since.is_quiet() && since.same > 1, "{since:?}");
}

#[test]
fn two_locks_are_compared_without_a_tree() {
    let repository = shop();
    let old = repository.path().join("old.lock");
    fs::rename(repository.path().join(lock::FILE_NAME), &old).unwrap();
    repository.write("migrations/1_orders.sql", &SCHEMA.replace("CREATE INDEX", "-- CREATE INDEX"));
    repository.write_lock();
    let against = Against::Locks(old, repository.path().join(lock::FILE_NAME));
    let found = diff_plans(&repository.request(), &against).unwrap();
    assert_eq!(told(&found), [format!("worse {OF}")]);
    assert_eq!(found.changes[0].places, ["src/orders.rs in `of`"]);
}

#[test]
fn without_growth_plans_alone_are_compared() {
    let repository = shop();
    let request = CheckRequest { growth: false, ..repository.request() };
    assert!(!check_plans(&request).unwrap().is_stale());
    repository.write("migrations/2_smaller.sql", "DROP INDEX orders_by_customer;\n");
    let found = check_plans(&request).unwrap();
    assert_eq!(told(&found), [format!("worse {OF}")]);
}

#[test]
fn what_a_new_database_has_is_an_entry_of_its_own_where_it_differs() {
    let repository = Repository::empty();
    let program = PROGRAM.replace("pub fn place", "pub fn open(db: &Connection) -> Result<()> {
    let exists: bool = db.query_row(\"SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'orders'\", [], |row| row.get(0))?;
    if !exists {
        db.execute_batch(\"CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, reference TEXT NOT NULL)\")?;
    } else {
        db.execute_batch(\"CREATE INDEX IF NOT EXISTS orders_by_customer ON orders (customer)\")?;
    }
    Ok(())
}

pub fn place");
    repository.write("src/orders.rs", &program);
    let text = repository.write_lock();
    assert!(text.contains("schema: fresh\nin: src/orders.rs::of\n"), "{text}");
    repository.commit();
    // Where the new database had no other schema before, it is held against that.
    repository.write(
        "src/orders.rs",
        &program.replace("CREATE INDEX IF NOT EXISTS orders_by_customer ON orders (customer)", "SELECT 1"),
    );
    assert_eq!(told(&repository.since("HEAD")), [format!("worse {OF}")]);
}

#[test]
fn a_lock_that_is_missing_or_broken_is_an_error_with_its_place() {
    let repository = shop();
    let path = repository.path().join(lock::FILE_NAME);
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(repository.broken(), "there is no planlint.lock");
    let block = text.split("\n\n").nth(1).unwrap();
    for (broken, line, message) in [
        (text.replace("version: 1", "version: 2"), 3, "this planlint reads version 1, and not 2"),
        (text.replace("version: 1\n", ""), 1, "this is no lock of planlint"),
        (text.replace("growth: constant", "growth: odd"), 9, "`odd` is no growth"),
        (text.replace("plan: -", "plan: -\n<<<<<<< HEAD"), 11, "a conflict that was not resolved"),
        (text.replace("database: main\n", ""), 9, "this statement has no `database`"),
        (text.replace("plan: -\n", ""), 10, "this statement has neither one `plan`"),
        (text.replace("tables:", "table:"), 8, "`table` is no word of a lock"),
        (format!("{text}\n{block}\n"), 25, "this statement stands twice"),
    ] {
        fs::write(&path, broken).unwrap();
        let Err(RunError::Lock(lock::LockError::Line { line: at, message: said, .. })) =
            check_plans(&repository.request())
        else {
            panic!("{message}");
        };
        assert!(said.starts_with(message) && at.abs_diff(line) <= 1, "{at}: {said}");
    }
    assert_eq!(
        fs::read_dir(repository.path())
            .unwrap()
            .filter(|one| one.as_ref().unwrap().file_name().to_string_lossy().ends_with(".new"))
            .count(),
        0
    );
}

#[test]
fn markdown_shows_what_sql_brings_along_as_text() {
    let repository = shop();
    let odd = SLOW.replace("reference = ?1", "reference = ?1 AND reference <> '```</summary><script>@all'");
    repository.write("src/orders.rs", &format!("{PROGRAM}{odd}"));
    let text = markdown::plans::render(&repository.since("HEAD"));
    assert!(text.contains("````sql\n") && text.contains("'```</summary><script>@all'"), "{text}");
    let outside: String = text.split("````").step_by(2).collect();
    assert!(!outside.contains("<script>") && !outside.contains('@'), "{outside}");
}

//! What is advised heals: it is written as the next migration, and then there is nothing left to advise.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use planlint::{
    CheckRequest, report,
    run::{Manner, advise},
};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const PROGRAM: &str = "\
def take(db, depot, shelf, weight):
    db.execute('INSERT INTO parcels (depot, shelf, weight) VALUES (?, ?, ?)', (depot, shelf, weight))


def at(db, depot):
    return db.execute('SELECT weight FROM parcels WHERE depot = ?', (depot,)).fetchall()


def on(db, depot, shelf):
    return db.execute('SELECT weight FROM parcels WHERE depot = ? AND shelf = ?', (depot, shelf)).fetchall()


def heavy(db):
    return db.execute(\"SELECT id FROM parcels WHERE weight LIKE '%9'\").fetchall()
";

fn tree(migration: (&str, &str)) -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    let (path, head) = migration;
    let path = tree.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = "CREATE TABLE parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, shelf INTEGER NOT NULL, weight INTEGER);\n\
                CREATE INDEX parcels_depot ON parcels (depot);\n";
    fs::write(path, format!("{head}{made}")).unwrap();
    let more = PROGRAM.replace("def at(", "def newest(db, depot):\n    return db.execute('SELECT id FROM parcels WHERE shelf = ? ORDER BY weight LIMIT 3', (depot,)).fetchall()\n\n\ndef at(");
    fs::write(tree.path().join("parcels.py"), more).unwrap();
    tree
}

fn told(tree: &Path, writes: bool) -> String {
    let manner = Manner { writes, ..Manner::default() };
    let advice = advise(&CheckRequest::new(tree), manner).unwrap();
    report::advice::render(&advice, 1_000)
}

#[test]
fn what_is_advised_and_written_heals() {
    for (file, head, next) in [
        ("db/migrations/0001_init.sql", "", "db/migrations/0002_add_indexes.sql"),
        ("db/migrations/1.init.sql", "", "db/migrations/2.add_indexes.sql"),
        ("db/migrations/000007_init.up.sql", "", "db/migrations/000008_add_indexes.up.sql"),
        ("db/migrations/00001_init.sql", "-- +goose Up\n", "db/migrations/00002_add_indexes.sql"),
    ] {
        let tree = tree((file, head));
        let before = told(tree.path(), true);
        assert!(before.contains("CREATE INDEX parcels_shelf_weight ON parcels (shelf, weight);"), "{before}");
        assert!(before.contains(&format!("written: {next}")), "{before}");
        let written = fs::read_to_string(tree.path().join(next)).unwrap();
        assert!(written.contains("CREATE INDEX parcels_shelf_weight"), "{written}");
        assert_eq!(written.starts_with("-- +goose Up"), !head.is_empty(), "{written}");
        if next.ends_with(".up.sql") {
            let down = fs::read_to_string(tree.path().join(next.replace(".up.", ".down."))).unwrap();
            assert_eq!(down, "DROP INDEX parcels_shelf_weight;\n");
        }
        let after = told(tree.path(), true);
        assert!(!after.contains("CREATE INDEX"), "{after}");
    }
}

#[test]
fn nothing_is_written_over() {
    let tree = tree(("migrations/0001_init.sql", ""));
    // A number that is taken by what is no SQL is not taken again.
    fs::write(tree.path().join("migrations/0002_add_indexes.sql"), "-- to be done\n").unwrap();
    let text = told(tree.path(), true);
    assert!(text.contains("written: migrations/0003_add_indexes.sql"), "{text}");
    let kept = fs::read_to_string(tree.path().join("migrations/0002_add_indexes.sql")).unwrap();
    assert_eq!(kept, "-- to be done\n");
}

#[test]
fn a_file_that_runs_at_every_open_is_added_to() {
    let tree = tree(("schema.sql", ""));
    let lenient = "CREATE TABLE IF NOT EXISTS parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, shelf INTEGER NOT NULL, weight INTEGER);";
    fs::write(tree.path().join("schema.sql"), lenient).unwrap();
    let text = told(tree.path(), true);
    assert!(text.contains("+++ b/schema.sql\n@@ -1,1 +1,"), "{text}");
    assert!(text.contains("\n\\ No newline at end of file\n+CREATE TABLE IF NOT EXISTS parcels"), "{text}");
    assert!(
        text.contains("+CREATE INDEX IF NOT EXISTS parcels_shelf_weight ON parcels (shelf, weight);\n"),
        "{text}"
    );
    fs::write(tree.path().join("report"), &text).unwrap();
    let git = Command::new("git").args(["apply", "report"]).current_dir(tree.path()).output().unwrap();
    assert!(git.status.success(), "{git:?}\n{text}");
    assert!(!told(tree.path(), true).contains("CREATE INDEX"));
}

#[test]
fn numbered_files_that_all_run_at_every_open_are_followed_by_one_that_may_run_again() {
    let told_with = |runner: &str| {
        let tree = tree(("migrations/0001_init.sql", ""));
        let made = "CREATE TABLE IF NOT EXISTS parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, shelf INTEGER NOT NULL, weight INTEGER);\n";
        fs::write(tree.path().join("migrations/0001_init.sql"), made).unwrap();
        fs::write(tree.path().join("opening.py"), runner).unwrap();
        let text = told(tree.path(), true);
        assert!(text.contains("written: migrations/0002_add_indexes.sql"), "{text}");
        fs::read_to_string(tree.path().join("migrations/0002_add_indexes.sql")).unwrap()
    };
    let every = "def open_store(db):\n    for path in sorted(Path('migrations').glob('*.sql')):\n        db.executescript(path.read_text())\n";
    let counted = "def open_store(db):\n    version = db.execute('PRAGMA user_version').fetchone()[0]\n    for path in sorted(Path('migrations').glob('*.sql'))[version:]:\n        db.executescript(path.read_text())\n";
    assert!(told_with(every).starts_with("CREATE INDEX IF NOT EXISTS "), "{}", told_with(every));
    assert!(told_with(counted).starts_with("CREATE INDEX parcels"), "{}", told_with(counted));
}

#[test]
fn what_is_to_be_done_then_is_said_before_anything_is_written() {
    let text = told(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/chainstate"), false);
    let said = "--write makes src/chain/migrations/0005_add_indexes.sql; it does not run until the list at src/chain/mod.rs:";
    assert!(text.contains(said), "{text}");
}

#[test]
fn no_file_is_of_a_time_before_the_last() {
    let tree = tree(("migrations/29991231120059_init.sql", ""));
    let text = told(tree.path(), true);
    assert!(text.contains("written: migrations/29991231120100_add_indexes.sql"), "{text}");
}

#[test]
fn what_is_not_proved_is_not_advised() {
    let told_of = |column: &str| {
        let tree = tempfile::tempdir().unwrap();
        let text = format!(
            "def open_jobs(db):\n    \
                 db.execute('CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, {column} NOT NULL, done INTEGER)')\n\n\
             def put(db, owner):\n    \
                 db.execute('INSERT INTO jobs (owner) VALUES (?)', (owner,))\n\n\
             def of(db):\n    \
                 return db.execute(\"SELECT id FROM jobs WHERE owner LIKE 'ab%'\").fetchall()\n"
        );
        fs::write(tree.path().join("jobs.py"), text).unwrap();
        told(tree.path(), false)
    };
    let proved = told_of("owner TEXT COLLATE NOCASE");
    assert!(proved.contains("CREATE INDEX jobs_owner ON jobs (owner);"), "{proved}");
    // The order of the table is another than that of LIKE: the index has its own.
    let other = told_of("owner TEXT");
    assert!(other.contains("CREATE INDEX jobs_owner_nocase ON jobs (owner COLLATE NOCASE);"), "{other}");
    // No index is narrowed by LIKE where numbers may stand.
    let unproved = told_of("owner INTEGER");
    assert!(!unproved.contains("CREATE INDEX"), "{unproved}");
    assert!(unproved.contains("no index heals any of 1 statement"), "{unproved}");
    assert!(unproved.contains("see `planlint explain` of the place:\n    jobs.py:8\n"), "{unproved}");
}

#[test]
fn the_price_of_an_index_is_that_of_its_keys() {
    let told = |column: &str, given: &str| {
        let tree = tempfile::tempdir().unwrap();
        let text = format!(
            "def open_depot(db):\n    \
                 db.execute('CREATE TABLE IF NOT EXISTS parcels (id INTEGER PRIMARY KEY, {column} NOT NULL, weight INTEGER)')\n\n\
             def put(db, one, weight):\n    \
                 db.execute('INSERT INTO parcels ({given}weight) VALUES (?, ?)', (one, weight))\n\n\
             def move(db, one, id):\n    \
                 db.execute('UPDATE parcels SET {name} = ? WHERE id = ?', (one, id))\n\n\
             def find(db, one):\n    \
                 return db.execute('SELECT weight FROM parcels WHERE {name} = ?', (one,)).fetchall()\n",
            name = column.split(' ').next().unwrap(),
        );
        fs::write(tree.path().join("parcels.py"), text).unwrap();
        let manner = Manner { measures: true, ..Manner::default() };
        advise(&CheckRequest::new(tree.path()), manner).unwrap()
    };
    for (column, order, pages) in [
        ("label_hash BLOB", "random", 1.0..1.4),
        ("sent_at INTEGER", "ordered", 0.0..0.02),
        ("depot INTEGER", "unknown", 0.0..0.02),
    ] {
        let given = format!("{}, ", column.split(' ').next().unwrap());
        let advised = told(column, &given);
        let price = advised.databases.iter().flat_map(|one| &one.indexes).find_map(|one| one.price.as_ref());
        let price = price.unwrap();
        assert_eq!(price.order, order, "{column}");
        assert!(pages.contains(&(price.after.0 - price.before.0)), "{column}: {price:?}");
        assert_eq!(price.updates.len(), 1, "{column}: {price:?}");
        let measured = price.measured.as_ref().unwrap();
        let off = (measured.pages.1 - measured.pages.0) / (measured.predicted.1 - measured.predicted.0);
        assert!((0.8..1.25).contains(&off) || measured.pages.1 < 0.1, "{column}: {measured:?}");
        let text = report::advice::render(&advised, 1_000);
        assert!(text.contains("    a row writes ") && text.contains("    measured: "), "{text}");
        let json = report::json::render_advice(&advised);
        assert!(json.starts_with("{\"version\":1,"), "{json}");
        assert!(json.contains("\"price\":{\"rows\":1000000,\"per_transaction\":1000,"), "{json}");
    }
}

#[test]
fn a_foreign_key_whose_children_are_looked_for_gets_its_index() {
    let told_of = |action: &str, more: &str| {
        let tree = tempfile::tempdir().unwrap();
        let text = format!(
            "def open_shop(db):\n    \
                 db.execute('PRAGMA foreign_keys = ON')\n    \
                 db.execute('CREATE TABLE IF NOT EXISTS buyers (id INTEGER PRIMARY KEY, name TEXT)')\n    \
                 db.execute('CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, buyer INTEGER REFERENCES buyers (id){action})')\n{more}\n\n\
             def put(db, buyer):\n    \
                 db.execute('INSERT INTO buyers (name) VALUES (?)', (buyer,))\n    \
                 db.execute('INSERT INTO orders (buyer) VALUES (?)', (buyer,))\n\n\n\
             def forget(db, buyer):\n    \
                 db.execute('DELETE FROM buyers WHERE id = ?', (buyer,))\n"
        );
        fs::write(tree.path().join("shop.py"), text).unwrap();
        told(tree.path(), false)
    };
    for action in ["", " ON DELETE CASCADE", " ON DELETE SET NULL"] {
        let told = told_of(action, "");
        assert!(told.contains("1 index heals 1 of 1 statement"), "{told}");
        assert!(told.contains("CREATE INDEX orders_buyer ON orders (buyer);"), "{told}");
    }
    let there = "    db.execute('CREATE INDEX IF NOT EXISTS by_buyer ON orders (buyer)')\n";
    let told = told_of("", there);
    assert!(!told.contains("CREATE INDEX"), "{told}");
}

//! What is advised heals: it is written as the next migration, and then there is nothing left to advise.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use planlint::{
    CheckRequest, report,
    run::{Manner, advise},
};
use std::fs;
use std::path::Path;
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
    report::advice::render(&advice)
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
fn what_is_made_in_code_is_said_and_not_written() {
    let tree = tempfile::tempdir().unwrap();
    fs::write(
        tree.path().join("queue.py"),
        "def open_queue(db):\n    \
             db.execute('CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, done INTEGER NOT NULL)')\n\n\
         def put(db, owner):\n    \
             db.execute('INSERT INTO jobs (owner, done) VALUES (?, 0)', (owner,))\n\n\
         def of(db, owner):\n    \
             return db.execute('SELECT id FROM jobs WHERE owner = ?', (owner,)).fetchall()\n",
    )
    .unwrap();
    let text = told(tree.path(), true);
    assert!(text.contains("CREATE INDEX jobs_owner ON jobs (owner);"), "{text}");
    assert!(text.contains("not written: the schema is not made by numbered files"), "{text}");
    assert!(text.contains("each row of jobs is written to 2 B-trees in place of 1"), "{text}");
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
        let text = report::advice::render(&advised);
        assert!(text.contains("    a row writes ") && text.contains("    measured: "), "{text}");
        let json = report::json::render_advice(&advised);
        assert!(json.starts_with("{\"version\":1,"), "{json}");
        assert!(json.contains("\"price\":{\"rows\":1000000,\"per_transaction\":1000,"), "{json}");
    }
}

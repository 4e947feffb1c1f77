//! What is written of a file for checks to go by: no value of a row is in it, and a check goes by it.

use crate::folder::{Folder, make};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// In every column of every table, in samples, in what somebody wrote among the numbers, and in the texts of the schema.
const CANARIES: &str = "
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT DEFAULT 'canary0', mail BLOB, born REAL, age ANY, CHECK (name <> 'canary1x'));
    CREATE INDEX people_name ON people (name, mail) WHERE name <> 'canary2';
    CREATE INDEX people_born ON people (born || 'canary3');
    CREATE UNIQUE INDEX people_mail ON people (mail);
    CREATE TABLE kept (name TEXT, number INTEGER, PRIMARY KEY (name, number)) WITHOUT ROWID;
    CREATE VIRTUAL TABLE texts USING fts5(body);
    CREATE VIEW seen AS SELECT 'canary4' FROM people;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO people SELECT i + 77700000, 'canary' || (i % 9), x'63616e617279' || i, 0.777 + i, 'canary' || i FROM n;
    INSERT INTO kept SELECT name, id FROM people;
    INSERT INTO texts SELECT 'canary words ' || name FROM people;
    ANALYZE;
    UPDATE sqlite_stat1 SET stat = stat || ' canary';
    INSERT INTO sqlite_stat1 VALUES ('people', 'canary', '1 1'), ('canary', NULL, '7'), ('people', 'people_mail', 'canary');";

fn run(arguments: &[&str], folder: &Path) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_planlint"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("SOURCE_DATE_EPOCH", "1800000000")
        .output()
        .unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn no_value_of_a_row_is_in_it() {
    let folder = Folder::with(CANARIES);
    let before = folder.listing();
    let (exit, text) = run(&["stats", "a.db"], folder.path());
    assert_eq!(exit, 0, "{text}");
    assert!(before == folder.listing());
    for secret in ["canary", "63616e617279", "777", "0.7"] {
        assert!(!text.to_lowercase().contains(secret), "{secret}: {text}");
    }
    for said in [
        "name = \"people\"\nrows = 3000\n",
        "name = \"kept\"\nrows = 3000\n",
        "stat1 = \"3000 334 1\"",
        "distinct = [8, 2666]",
        "samples = ",
        "date = \"2027-01-15\"",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn a_file_of_statistics_is_replaced_whole_and_nothing_else_is() {
    let folder = Folder::with("CREATE TABLE t (a)");
    let write = || run(&["stats", "a.db", "--output", "s.toml"], folder.path());
    assert_eq!(write(), (0, String::new()));
    let longer = fs::read_to_string(folder.path().join("s.toml")).unwrap() + &"# x\n".repeat(9000);
    fs::write(folder.path().join("s.toml"), longer).unwrap();
    assert_eq!(write(), (0, String::new()));
    for (other, text) in [("b.db", "SQLite format 3\0"), ("notes.txt", "to do")] {
        fs::write(folder.path().join(other), text).unwrap();
        let (exit, said) = run(&["stats", "a.db", "--output", other], folder.path());
        assert!(exit == 2 && said.contains("is no file of statistics"), "{said}");
        assert_eq!(fs::read_to_string(folder.path().join(other)).unwrap(), text);
    }
    let written = fs::read_to_string(folder.path().join("s.toml")).unwrap();
    assert!(written.starts_with("# ") && written.ends_with("row-bytes = 0\n"), "{written}");
    let (exit, text) = run(&["stats", "a.db", "--output", "a.db"], folder.path());
    assert_eq!(exit, 2);
    assert!(text.contains("is the database itself"), "{text}");
    assert_eq!(run(&["stats", "s.toml"], folder.path()).0, 2);
}

const PROGRAM: &str = "\
def init(db):
    db.execute('CREATE TABLE parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, weight INTEGER)')
    db.execute('CREATE INDEX parcels_depot ON parcels (depot)')


def take(db, depot, weight):
    db.execute('INSERT INTO parcels (depot, weight) VALUES (?, ?)', (depot, weight))


def heavy(db, weight):
    return db.execute('SELECT id FROM parcels WHERE weight = ?', (weight,)).fetchall()
";

/// A program, with the statistics of one of its databases.
fn program() -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    fs::write(tree.path().join("parcels.py"), PROGRAM).unwrap();
    make(
        &tree.path().join("a.db"),
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, weight INTEGER);
         CREATE INDEX parcels_depot ON parcels (depot);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
         INSERT INTO parcels SELECT i, i % 10, i FROM n;
         ANALYZE;",
    );
    let (exit, text) = run(&["stats", "a.db", "--output", "planlint.stats.toml"], tree.path());
    assert_eq!(exit, 0, "{text}");
    fs::remove_file(tree.path().join("a.db")).unwrap();
    tree
}

#[test]
fn a_check_goes_by_the_file_beside_it_and_says_so() {
    let tree = program();
    let (exit, text) = run(&["check"], tree.path());
    assert_eq!(exit, 1, "{text}");
    assert!(text.contains("had 12,000"), "{text}");
    assert!(text.contains("it had 12,000 rows on 2027-01-15"), "{text}");
    let (_, json) = run(&["check", "--format", "json"], tree.path());
    let said = "\"statistics\":{\"path\":\"planlint.stats.toml\",\"date\":\"2027-01-15\",\"tables\":1,\"analyzed\":true}";
    assert!(json.contains(said), "{json}");
    let (_, page) = run(&["explain", "parcels.py:11"], tree.path());
    assert!(
        page.contains("parcels: growing: it had 12,000 rows on 2027-01-15 (planlint.stats.toml:10:8)"),
        "{page}"
    );
    let (_, script) = run(&["explain", "--script", "parcels.py:11"], tree.path());
    assert!(
        script.contains("INSERT INTO sqlite_stat1 VALUES ('parcels', 'parcels_depot', '12000 1200');"),
        "{script}"
    );
}

#[test]
fn the_configuration_names_it_and_has_the_last_word_on_sizes() {
    let tree = program();
    fs::rename(tree.path().join("planlint.stats.toml"), tree.path().join("field.toml")).unwrap();
    let config = |more: &str| {
        let text = format!(
            "[[database]]\nname = \"main\"\nstats = \"field.toml\"\ncreate = [\"parcels.py::init\"]\n{more}"
        );
        fs::write(tree.path().join("planlint.toml"), text).unwrap();
    };
    config("");
    let (exit, text) = run(&["check"], tree.path());
    assert_eq!(exit, 1, "{text}");
    assert!(text.contains("had 12,000"), "{text}");
    config("bounded = { parcels = 100 }\n");
    let (exit, text) = run(&["check"], tree.path());
    assert_eq!(exit, 0, "{text}");
    fs::remove_file(tree.path().join("field.toml")).unwrap();
    let (exit, text) = run(&["check"], tree.path());
    assert_eq!(exit, 2);
    assert!(text.contains("can't read `field.toml`") && text.contains("planlint.toml:3:9"), "{text}");
}

#[test]
fn a_broken_file_is_an_error_with_its_place() {
    let tree = program();
    let path = tree.path().join("planlint.stats.toml");
    let good = fs::read_to_string(&path).unwrap();
    for (text, said) in [
        (good.replace("row-bytes", "row-byts"), "did you mean `row-bytes`?"),
        (good.replace("12000 1200", "many"), "`many` is no row of sqlite_stat1"),
        (good.replace("[[table]]", "[[table]"), "planlint.stats.toml"),
        (good.replace("version = 1", "version = 9"), "version 9 of this file is not known"),
    ] {
        fs::write(&path, text).unwrap();
        let (exit, text) = run(&["check"], tree.path());
        assert_eq!(exit, 2, "{text}");
        assert!(text.contains(said) && text.contains("planlint.stats.toml:"), "{said}: {text}");
    }
}

#[test]
fn what_may_be_of_several_databases_is_given_to_none_and_said() {
    let tree = program();
    let config = "[[database]]\nname = \"main\"\nopen = [\"parcels.py::init\"]\n[[database]]\nname = \"b\"\nopen = [\"b.sql\"]\n";
    fs::write(tree.path().join("planlint.toml"), config).unwrap();
    fs::write(tree.path().join("b.sql"), "CREATE TABLE b (a)").unwrap();
    let (_, text) = run(&["check"], tree.path());
    let text = text.replace("\n  ", " ");
    assert!(!text.contains("had 12,000"), "{text}");
    assert!(
        text.contains("this file of statistics is not used: there are 2 databases")
            && text.contains("planlint.stats.toml:1:1"),
        "{text}"
    );
}

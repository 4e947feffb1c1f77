//! Sizes that the configuration declares: findings say them, and statements are planned with them where the program keeps
//! statistics.

use std::fs;
use std::process::Command;
use tempfile::TempDir;

const PROGRAM: &str = "\
def init(db):
    db.execute('CREATE TABLE events (id INTEGER PRIMARY KEY, address TEXT NOT NULL, what TEXT)')
    db.execute('CREATE INDEX events_address ON events (address)')
    db.execute('CREATE TABLE peers (id INTEGER PRIMARY KEY, address TEXT NOT NULL, name TEXT)')
    db.execute('CREATE INDEX peers_address ON peers (address)')
    db.execute('CREATE TABLE marks (name TEXT PRIMARY KEY, value) WITHOUT ROWID')


def add(db, e):
    db.execute('INSERT INTO events (address, what) VALUES (?, ?)', e)
    db.execute('INSERT INTO peers (address, name) VALUES (?, ?)', e)


def known(db):
    return db.execute('SELECT what, name FROM events JOIN peers ON peers.address = events.address').fetchall()


def mark(db, name):
    return db.execute('SELECT value FROM marks WHERE name = ?', (name,)).fetchone()
";

const KEEPS: &str = "\n\ndef close(db):\n    db.execute('PRAGMA optimize')\n";

const CONFIG: &str = "[[database]]\nname = \"main\"\ncreate = [\"store.py::init\"]\n";

fn tree(program: &str, config: &str) -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    fs::write(tree.path().join("store.py"), program).unwrap();
    fs::write(tree.path().join("planlint.toml"), config).unwrap();
    tree
}

fn run(tree: &TempDir, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_planlint"))
        .args(arguments)
        .current_dir(tree.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (
        output.status.code().unwrap_or(-1),
        text.replace('\u{2502}', "").split_whitespace().collect::<Vec<_>>().join(" "),
    )
}

#[test]
fn a_program_that_keeps_statistics_is_planned_with_the_rows_that_are_declared() {
    let rows = format!("{CONFIG}rows = {{ events = 900_000, peers = 40, marks = 7 }}\n");
    let kept = format!("{PROGRAM}{KEEPS}");
    let large = "|--SCAN events `--SEARCH peers";
    for (program, config, plan) in [
        (kept.as_str(), rows.as_str(), "|--SCAN peers `--SEARCH events"),
        // No database of a program that runs no ANALYZE has statistics.
        (PROGRAM, rows.as_str(), large),
        (kept.as_str(), CONFIG, large),
        // What a table has at most is not what it has.
        (kept.as_str(), &format!("{CONFIG}bounded = {{ peers = 40 }}\n"), large),
    ] {
        let (_, text) = run(&tree(program, config), &["explain", "store.py:15"]);
        assert!(text.contains(plan), "{config}{text}");
    }
    let (_, script) = run(&tree(&kept, &rows), &["explain", "--script", "store.py:15"]);
    assert!(script.contains("VALUES ('events', NULL, '900000'), ('peers', NULL, '40');"), "{script}");
    let (_, script) = run(&tree(&kept, &rows), &["explain", "--script", "store.py:19"]);
    assert!(script.contains("VALUES ('marks', NULL, '7');"), "{script}");
}

#[test]
fn findings_say_the_rows_that_are_declared() {
    let rows = format!("{CONFIG}rows = {{ events = 4_100_000 }}\n");
    let tree = tree(PROGRAM, &rows);
    let (_, text) = run(&tree, &["check", "--notes"]);
    assert!(text.contains("the table grows, and is said to have 4.1 million rows"), "{text}");
    assert!(text.contains("sizes by planlint.toml"), "{text}");
    fs::write(tree.path().join("planlint.toml"), format!("{rows}bounded = {{ events = 50, peers = 50 }}\n"))
        .unwrap();
    let (exit, text) = run(&tree, &["check", "--notes"]);
    assert!(exit == 0 && !text.contains("million"), "{text}");
}

#[test]
fn a_database_that_was_looked_at_knows_better() {
    let tree = tree(PROGRAM, &format!("{CONFIG}rows = {{ events = 4_100_000 }}\n"));
    let found = "version = 1\n[[table]]\nname = \"events\"\nrows = 70000\n";
    fs::write(tree.path().join("planlint.stats.toml"), found).unwrap();
    let (_, text) = run(&tree, &["check", "--notes"]);
    assert!(text.contains("had 70,000 rows") && !text.contains("million"), "{text}");
    assert!(text.contains("`rows` is not used") && text.contains("(planlint.toml:4:10)"), "{text}");
    let both = format!("{CONFIG}rows = {{ events = 9 }}\nstats = \"planlint.stats.toml\"\n");
    fs::write(tree.path().join("planlint.toml"), both).unwrap();
    let (exit, text) = run(&tree, &["check"]);
    assert!(exit == 2 && text.contains("`rows` beside a file of statistics"), "{text}");
}

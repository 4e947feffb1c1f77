//! Plans by the `sqlite3` shell of the machine, and what a shell is kept from.

use crate::{output, printed, root, run};
use planlint::report::pages::{Tested, render};
use planlint::run::{CheckRequest, test_rules};
use std::fs;
use std::process::Command;

#[test]
fn another_sqlite_is_asked_for_each_statement() {
    const FOLDER: &str = "tests/outside/rules";
    let version = run(Command::new("sqlite3").arg("--version"));
    let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
    assert!((37..44).contains(&minor), "the pages are written for an older shell than {version}");
    let request = CheckRequest::new(root());
    let Tested { mut cases, notes } = test_rules(&request, (&root().join(FOLDER), FOLDER), &[]).unwrap();
    assert!(cases.len() > 3 && notes.is_empty(), "{} cases, {notes:?}", cases.len());
    cases.retain(|case| !case.faults.is_empty());
    assert!(cases.is_empty(), "\n{}", render(&Tested { cases, notes }));
}

/// Runs planlint on a program whose statements are those, with the shell of the machine.
fn checked(texts: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> =
        texts.iter().map(|text| format!("    db.execute(\"\"\"{text}\"\"\")\n")).collect();
    fs::write(folder.path().join("store.py"), format!("def run(db):\n{}", lines.concat())).unwrap();
    fs::write(folder.path().join("planlint.toml"), "sqlite = \"sqlite3\"\n").unwrap();
    let mut planlint = Command::new(env!("CARGO_BIN_EXE_planlint"));
    printed(&output(planlint.args(["check", "--notes", "."]).current_dir(folder.path())))
}

#[test]
fn what_it_lacks_of_a_schema_is_named() {
    // The shell that is asked knows no such tokenizer, which SQLite asks for when the table is made.
    let said = checked(&[
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT, c TEXT AS (concat_ws(',', b)) STORED)",
        "INSERT INTO a (b) VALUES (?)",
        "SELECT id FROM a WHERE id = ?",
    ]);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("does not take `a` (no such function: concat_ws)"), "{said}");
    assert!(!said.contains("version-dependent-plan"), "{said}");
}

#[test]
fn no_text_of_the_program_is_a_command_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    let path = victim.display().to_string();
    let said = checked(&[
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT)",
        "INSERT INTO a (b) VALUES (?)",
        &format!("SELECT b FROM a WHERE id = 1 AND b = '\n.shell touch {path}\n'"),
        &format!("SELECT b FROM a WHERE id = 2 AND b = ';\n.output {path}\n'"),
        &format!("SELECT writefile('{path}', b) FROM a WHERE id = 3"),
        "SELECT id\n/\n2 FROM a WHERE b = ?",
        "INSERT INTO a (b) SELECT 1 AS\ngo\nFROM (SELECT load_extension('x'))",
        "/* all */ EXPLAIN SELECT id FROM a",
        "SELECT id FROM a WHERE id = 5 /* not closed",
        "SELECT concat_ws(',', b) FROM a WHERE id = 4",
    ]);
    assert!(!victim.exists(), "{said}");
    // What comes behind is asked for all the same, and nothing else is refused there.
    assert!(said.contains("concat_ws") && !said.contains("gave no plan"), "{said}");
    assert_eq!(said.matches("version-dependent-plan").count(), 1, "{said}");
}

#[test]
fn a_lock_says_the_same_of_an_older_sqlite_but_for_what_it_does_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).unwrap();
    let planlint = |arguments: &[&str]| {
        let mut planlint = Command::new(env!("CARGO_BIN_EXE_planlint"));
        output(planlint.arg("plans").args(arguments).current_dir(folder.path()))
    };
    let program = |query: &str| {
        format!(
            "def init(db):\n\
             \x20   db.execute('CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE)')\n\
             \x20   db.execute('CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, at INTEGER)')\n\
             \x20   db.execute('CREATE INDEX b_orders ON orders (customer)')\n\
             \x20   db.execute('CREATE INDEX a_orders ON orders (customer, at)')\n\n\
             def of(db, values):\n\
             \x20   db.execute('INSERT INTO orders (customer, at) VALUES (?, ?)', values)\n\
             \x20   db.execute('SELECT id FROM orders WHERE customer = ? UNION SELECT id FROM customers ORDER BY 1', values)\n\
             \x20   db.execute('SELECT max(at) FROM orders WHERE customer = ? GROUP BY at', values)\n\
             \x20   db.execute('{query}', values)\n"
        )
    };
    write("store.py", &program("SELECT at FROM orders WHERE customer = ? ORDER BY at, id"));
    let none = planlint(&["--by-shell"]);
    assert!(none.status.code() == Some(2) && printed(&none).contains("names no shell"), "{}", printed(&none));
    write("planlint.toml", "sqlite = \"sqlite3\"\n");
    let written = planlint(&["--write"]);
    assert!(printed(&written).starts_with("4 statements"), "{}", printed(&written));
    let same = planlint(&["--check", "--by-shell"]);
    assert!(same.status.success(), "{}", printed(&same));

    let joined = "SELECT orders.id FROM orders LEFT JOIN customers ON customers.id = orders.customer WHERE email IN (?, ?)";
    write("store.py", &program(joined));
    planlint(&["--write"]);
    let other = planlint(&["--check", "--by-shell"]);
    let said = printed(&other);
    assert_eq!(other.status.code(), Some(1), "{said}");
    assert!(said.contains("plans: 1 worse\n") && said.contains("+ SCAN orders"), "{said}");
}

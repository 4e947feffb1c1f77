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
        "SELECT concat_ws(',', b) FROM a WHERE id = 4",
    ]);
    assert!(!victim.exists(), "{said}");
    // What comes behind is asked for all the same.
    assert!(said.contains("concat_ws"), "{said}");
}
